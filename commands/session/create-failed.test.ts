import { expect } from 'chai';
import type { SessionId } from '../../contracts/ids.ts';
import type { Caller } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';
import { ProfileWorld } from '../profile/testing.ts';
import {
  again,
  createWorld,
  dyingRunner,
  Killed,
  newCaller,
  newSessionId,
  nodeId,
  slugOf,
  useStore,
  type World,
} from './testing.ts';

const outage = new Error('Connection terminated unexpectedly');
const errorOf = (request: Promise<unknown>) => request.then(() => undefined).catch((error: unknown) => error);

describe('a session creation that did not come to its request', () => {
  const opened = useStore();
  let world: World;
  beforeEach(() => {
    world = createWorld(opened.store);
  });

  /** A runner whose commands of one type fail, without effect. */
  const failingAt = (runner: Runner, type: string): Runner => ({
    load: (...call) => runner.load(...call),
    run: (decider, uuid, command, ...rest) =>
      (command as { readonly type: string }).type === type
        ? Promise.reject(outage)
        : runner.run(decider, uuid, command, ...rest),
  });

  describe('because the node could not be chosen during an outage', () => {
    beforeEach(() => {
      world.fleet.onPlace = () => Promise.reject(outage);
    });

    it('has no slot, and is created when it is retried with its id', async () => {
      const [caller, id] = [newCaller('free', 1), newSessionId()];
      expect(await errorOf(world.sessions.create(caller, id, {}))).to.equal(outage);
      expect(await world.eventsOf('account_slots', caller.accountId)).to.deep.equal([
        'SlotReserved',
        'SlotReleased',
      ]);
      expect(await world.sessions.describe(id)).to.deep.equal({ kind: 'absent' });
      world.fleet.onPlace = () => Promise.resolve(nodeId);
      expect((await world.sessions.create(again(caller), id, {})).session.status).to.equal('ready');
      expect(await slugOf(world.sessions.create(again(caller), newSessionId(), {}))).to.equal(
        'concurrency-limit',
      );
    });

    it('fails with that outage if the slot cannot be released either, and has it until its lease ends', async () => {
      const [caller, id] = [newCaller('free', 1), newSessionId()];
      const sessions = world.with({ runner: failingAt(world.runner, 'ReleaseSlot') });
      world.fleet.onPlace = () => Promise.reject(new Error('the registry is down'));
      expect(await errorOf(sessions.create(caller, id, {}))).to.include({ message: 'the registry is down' });
      world.fleet.onPlace = () => Promise.resolve(nodeId);
      const refused = world.sessions.create(again(caller), newSessionId(), {});
      expect(await slugOf(refused)).to.equal('concurrency-limit');
      expect((await world.sessions.create(again(caller), id, {})).session.status).to.equal('ready');
    });
  });

  it('keeps its slot if it is unknown whether the profile was bound: otherwise another launch could come between', async () => {
    const w = await ProfileWorld.open(opened.store);
    const sessions = w.world.with({ runner: failingAt(w.world.runner, 'BindProfile') });
    expect(await errorOf(w.launch(newSessionId(), {}, sessions))).to.equal(outage);
    expect(await slugOf(w.launch())).to.equal('profile-in-use');
  });

  describe('a creation that is retried with its id', () => {
    /** Its process dies once its slot is reserved. */
    const dieWithSlot = async (caller: Caller, id: SessionId) => {
      const dying = world.with({ runner: dyingRunner(world.runner, 1) }).create(caller, id, {});
      expect(await dying.catch((error: unknown) => error)).to.be.instanceOf(Killed);
    };

    it('continues with the slot that it had reserved, within its lease', async () => {
      const [caller, id] = [newCaller('personal', 1), newSessionId()];
      await dieWithSlot(caller, id);
      world.clock.advance(20_000);
      expect((await world.sessions.create(again(caller), id, {})).session.status).to.equal('ready');
    });

    it('does not trust a lease that is about to end', async () => {
      const [caller, id] = [newCaller('personal', 1), newSessionId()];
      await dieWithSlot(caller, id);
      world.clock.advance(59_000);
      expect(await slugOf(world.sessions.create(again(caller), id, {}))).to.equal('driver-not-integrated');
      expect((await world.sessions.create(again(caller), id, {})).session.status).to.equal('ready');
    });

    it('is a conflict once the session was requested: its browser is never asked for twice', async () => {
      const [caller, id] = [newCaller('personal', 1), newSessionId()];
      await world.sessions.create(caller, id, {});
      expect(await slugOf(world.sessions.create(again(caller), id, {}))).to.equal('conflict');
      world.clock.advance(3_600_000);
      expect(await slugOf(world.sessions.create(again(caller), id, {}))).to.equal('driver-not-integrated');
      expect(world.fleet.created).to.deep.equal([id]);
      expect(await world.eventsOf('account_slots', caller.accountId)).to.deep.equal(['SlotReserved']);
    });
  });
});
