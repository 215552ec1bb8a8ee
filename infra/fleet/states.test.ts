import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { request } from 'undici';
import { toId, type ProfileId } from '../../contracts/ids.ts';
import type { StateCensus } from '../../contracts/profile-state.ts';
import { createOutboundGuard } from '../outbound/guard.ts';
import { until } from '../verification/testbed/index.ts';
import type { Driver } from './node/driver.ts';
import { createSimulatedDriver } from './simulated/index.ts';
import { startStates } from './testing/states.ts';

const newProfile = (): ProfileId => toId('profile', randomUUID());
const bare: StateCensus = {
  cookies: 0,
  origins: 0,
  parts: { cookies: 0, local_storage: 0, session_storage: 0, indexeddb: 0, service_workers: 0, cache: 0 },
};

describe('the state of a profile', () => {
  let world: Awaited<ReturnType<typeof startStates>>;
  beforeEach(async () => {
    world = await startStates();
  });
  afterEach(() => world.stop());

  /** A session with a profile that has loaded a page, and was ended on request. */
  const used = async (on: Awaited<ReturnType<typeof world.addNode>>, path = '/counter') => {
    const { session } = await on.create(newProfile());
    await on.visit(session, path);
    await on.destroy(session);
    return session;
  };

  it('is sent when its session is destroyed, and loaded by the next session on another node', async () => {
    const [first, second] = await Promise.all([world.addNode(), world.addNode()]);
    const session = await used(first);
    const { archive, census, session: of } = await until(() => world.sent[0]);
    expect(of).to.equal(session);
    expect(census).to.include({ cookies: 1, origins: 1 });
    const next = await second.create(newProfile(), () => Readable.from([archive]));
    expect(next.outcome).to.include({ outcome: 'succeeded' });
    await second.visit(next.session, '/counter');
    expect(await second.read(next.session, '#count')).to.have.nested.property('data.text', '2');
  });

  it('is not sent for a session without a profile', async () => {
    const on = await world.addNode();
    const { session } = await on.create(undefined);
    await on.visit(session, '/counter');
    await on.destroy(session);
    await used(on);
    await until(() => world.sent.length > 0);
    expect(world.sent.map(({ session: of }) => of)).not.to.include(session);
  });

  it('is sent again until it is accepted: after a failure of the control plane, and after a broken call', async () => {
    const on = await world.addNode();
    const { save } = world.states;
    const refusals: (typeof save)[] = [
      () => Promise.reject(new Error('not now')),
      (_node, _session, _census, archive) => {
        archive.once('data', () => archive.destroy());
        return new Promise(() => undefined);
      },
    ];
    world.states.save = (...of) => (refusals.shift() ?? save)(...of);
    const session = await used(on);
    expect((await until(() => world.sent[0])).session).to.equal(session);
    expect(refusals).to.have.length(0);
  });

  it('is sent once if the control plane refuses it', async () => {
    const on = await world.addNode();
    let calls = 0;
    world.states.save = () => {
      calls += 1;
      return Promise.resolve(calls === 1 ? 'refused' : undefined);
    };
    await used(on);
    await used(on);
    await until(() => calls === 2);
    await on.node.drain();
    expect(calls).to.equal(2);
  });

  it('takes no room on the node while it is being sent, and two are sent at a time', async () => {
    const on = await world.addNode({ capacity: 1 });
    const { save } = world.states;
    const open: (() => void)[] = [];
    world.states.save = async (...of) => {
      await new Promise<void>((resolve) => open.push(resolve));
      return save(...of);
    };
    for (let count = 0; count < 3; count += 1) await used(on);
    await until(() => open.length === 2);
    expect(on.node.status().sessions).to.deep.equal([]);
    open[0]?.();
    await until(() => open.length === 3);
    for (const release of open) release();
    await until(() => world.sent.length === 3);
  });

  it('is not sent for a session that has died, or that a stopping node has ended', async () => {
    const on = await world.addNode();
    const [dead, alive] = await Promise.all([on.create(newProfile()), on.create(newProfile())]);
    await on.visit(dead.session, '/crash');
    await on.visit(alive.session, '/counter');
    await until(() => on.node.status().sessions.length === 1);
    await on.destroy(dead.session);
    await on.node.drain();
    expect(world.reports.map(({ kind }) => kind)).to.deep.equal(['session_died', 'session_died']);
    expect(world.sent).to.deep.equal([]);
  });

  it('is still sent by a stopping node, within a time limit', async () => {
    const [patient, hasty] = await Promise.all([world.addNode(), world.addNode()]);
    const { save } = world.states;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    world.states.save = async (node, ...of) => {
      if (node === hasty.id) return new Promise(() => undefined);
      await released;
      return save(node, ...of);
    };
    const session = await used(patient);
    await used(hasty);
    const stopped = patient.node.drain(5_000);
    release();
    await Promise.all([stopped, hasty.node.drain(50)]);
    expect(world.sent.map(({ session: of }) => of)).to.deep.equal([session]);
  });

  it('is reported by the node, with the reason, if it cannot be saved', async () => {
    const on = await world.addNode();
    const profile = newProfile();
    const { session } = await on.create(profile);
    await on.visit(session, '/unsaveable?reason=degenerate_dump');
    await on.destroy(session);
    const report = await until(() => world.reports[0]);
    expect(report).to.deep.include({
      kind: 'profile_save_failed',
      session_id: session,
      profile_id: profile,
      reason: 'degenerate_dump',
    });
    expect(world.sent).to.deep.equal([]);
  });

  it('starts no browser if it is incomplete, damaged or missing', async () => {
    const on = await world.addNode();
    await used(on);
    const { archive } = await until(() => world.sent[0]);
    const broken = async function* () {
      yield archive.subarray(0, archive.length - 10);
      throw new Error('no further');
    };
    const failures = [
      await on.create(newProfile(), () => Readable.from(broken())),
      await on.create(newProfile(), () => Readable.from([archive.subarray(0, archive.length - 10)])),
      await on.create(newProfile(), () => Readable.from([randomBytes(1_000)])),
    ];
    const { open } = world.states;
    world.states.open = () => Promise.resolve(undefined);
    failures.push(await on.create(newProfile(), () => Readable.from([archive])));
    world.states.open = open;
    for (const { outcome } of failures) expect(outcome).to.have.nested.property('failure.kind', 'driver');
    expect(on.node.status().sessions).to.deep.equal([]);
  });

  it('is not transferred further if the browser does not start', async () => {
    const driver: Driver = {
      ...createSimulatedDriver({ guard: createOutboundGuard() }),
      launch: () => Promise.reject(new Error('There is no display.')),
    };
    const on = await world.addNode({ driver });
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(64 * 1024));
      },
    });
    const { outcome } = await on.create(newProfile(), () => endless);
    expect(outcome).to.have.nested.property('failure.kind', 'driver');
    await until(() => endless.destroyed);
  });

  describe('at the control plane', () => {
    const put = (headers: Record<string, string>, body: Readable | string = 'archive') =>
      request(`${world.url}/internal/fleet/sessions/${toId('session', randomUUID())}/state`, {
        ...{ method: 'PUT', headers, body },
      });

    it('is accepted from admitted nodes only, with a valid census', async () => {
      const { credential } = await world.addNode();
      const authorization = `Bearer ${credential}`;
      const census = { 'x-census': JSON.stringify(bare) };
      const statuses = [
        await put(census),
        await put({ authorization }),
        await put({ authorization, 'x-census': '{' }),
        await put({ authorization, ...census }),
      ].map(({ statusCode }) => statusCode);
      expect(statuses).to.deep.equal([401, 400, 400, 200]);
      const got = await request(
        `${world.url}/internal/fleet/sessions/${toId('session', randomUUID())}/state`,
      );
      expect(got.statusCode).to.equal(401);
    });

    it('has an archive that rejects if the node disconnects', async () => {
      const { credential } = await world.addNode();
      let read: Promise<unknown> | undefined;
      world.states.save = (_node, _session, _census, archive) => {
        read = buffer(archive).catch((error: unknown) => error);
        return new Promise(() => undefined);
      };
      const endless = new Readable({ read: () => undefined });
      endless.push('the beginning');
      const headers = { authorization: `Bearer ${credential}`, 'x-census': JSON.stringify(bare) };
      const sending = put(headers, endless).catch(() => undefined);
      await until(() => read !== undefined);
      endless.destroy(new Error('gone'));
      expect(await read).to.be.instanceOf(Error);
      await sending;
    });
  });
});
