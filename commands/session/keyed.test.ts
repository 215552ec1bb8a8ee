import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { toId, type SessionId } from '../../contracts/ids.ts';
import type { CreateSession, Session } from '../../contracts/resources/session.ts';
import { ProfileWorld } from '../profile/testing.ts';
import { withReceipt, type KeyedWork, type ToAnswer } from '../receipt/index.ts';
import { receiptSeals } from '../receipt/testing.ts';
import type { SessionCommands } from './index.ts';
import { again, nodeId, slugOf, useStore } from './testing.ts';

describe('a session create with an idempotency key that is refused', () => {
  const stored = useStore();
  let w: ProfileWorld;
  beforeEach(async () => {
    w = await ProfileWorld.open(stored.store);
  });

  const toAnswer: ToAnswer<Session> = (settled) =>
    settled.kind === 'created'
      ? { status: 201, contentType: 'application/json', body: settled.body.id }
      : { status: 409, contentType: 'application/problem+json', body: settled.refusal.slug };

  const create = (key: string, body: CreateSession, sessions: SessionCommands = w.world.sessions) => {
    const { runner, clock } = w.world;
    const ports = { runner, clock, retentionMs: 86_400_000, beginsWithinMs: 60_000, ...receiptSeals };
    const caller = again(w.caller);
    const work: KeyedWork<SessionId, Session> = {
      newId: () => toId('session', uuidv7()),
      run: async (id) => ({ body: (await sessions.create(caller, id, body)).session }),
      outcome: sessions.describe,
      withdraw: (id) => sessions.withdraw(caller, id),
    };
    return withReceipt(ports, { caller, route: 'sessions.create', key, body }, work, toAnswer);
  };

  it('while its profile is being saved is created with the same key once that is free', async () => {
    const saving = await w.ended();
    const [key, body] = [randomUUID(), { profile_id: w.profileId }];
    expect(await slugOf(create(key, body))).to.equal('profile-in-use');
    await w.save(saving);
    const created = await create(key, body);
    expect([created.status, created.replayed]).to.deep.equal([201, false]);
    expect(await create(key, body)).to.include({ body: created.body, replayed: true });
  });

  it('while no node accepts sessions is created with the same key once one does', async () => {
    const key = randomUUID();
    w.world.fleet.onPlace = () => Promise.resolve(undefined);
    expect(await slugOf(create(key, {}))).to.equal('driver-not-integrated');
    w.world.fleet.onPlace = () => Promise.resolve(nodeId);
    expect(await create(key, {})).to.include({ status: 201, replayed: false });
  });

  it('is answered the same again if its profile has a live session, which does not pass by itself', async () => {
    const live = await w.launch();
    const [key, body] = [randomUUID(), { profile_id: w.profileId }];
    expect(await create(key, body)).to.include({ body: 'profile-in-use', replayed: false });
    await w.destroy(live);
    await w.save(live);
    expect(await create(key, body)).to.include({ body: 'profile-in-use', replayed: true });
  });

  it('is answered the same again if it has left a session, whose browser did not start', async () => {
    const key = randomUUID();
    const failure = { kind: 'unavailable', category: 'unknown', reason: 'no memory' } as const;
    w.world.fleet.onCreate = () => Promise.resolve({ outcome: 'failed', failure });
    expect(await create(key, {})).to.include({ body: 'driver-not-integrated', replayed: false });
    expect(await create(key, {})).to.include({ body: 'driver-not-integrated', replayed: true });
  });
});
