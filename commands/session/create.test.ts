import { expect } from 'chai';
import { uuidOf, type SessionId } from '../../contracts/ids.ts';
import { session as sessionDecider } from '../../domain/session/session.ts';
import { NodeSilent } from '../../infra/fleet/control-plane/port.ts';
import { systemContext, type Caller } from '../engine/context.ts';
import {
  again,
  createWorld,
  dyingRunner,
  Killed,
  newCaller,
  newSessionId,
  nodeId,
  useStore,
  slugOf,
  type World,
} from './testing.ts';

describe('session creation', () => {
  const opened = useStore();
  let world: World;
  beforeEach(() => {
    world = createWorld(opened.store);
  });

  describe('creating a session', () => {
    it('returns once the browser is ready', async () => {
      const caller = newCaller();
      const id = newSessionId();
      const { session, position } = await world.sessions.create(caller, id, {
        label: 'one',
        metadata: { a: 1 },
      });
      expect(session).to.include({
        id,
        status: 'ready',
        archetype: 'iphone-15',
        label: 'one',
        profile_id: null,
      });
      expect(session).not.to.have.property('expires_at');
      expect(position).to.have.keys('commit', 'prepare');
      expect(await world.eventsOf('session', id)).to.deep.equal(['SessionRequested', 'SessionReady']);
      expect(world.fleet.created).to.deep.equal([id]);
    });

    it('answers with what its node detected, and repeats that answer after a later report', async () => {
      const detected = { udp_associate: false, dns_remote_resolve: true, quic_route: 'direct', warnings: [] };
      world.fleet.onCreate = () => Promise.resolve({ outcome: 'succeeded', egress_capabilities: detected });
      const id = newSessionId();
      const { session } = await world.sessions.create(newCaller(), id, {});
      expect(session.egress_capabilities).to.deep.equal(detected);
      const capabilities = { ...detected, warnings: ['dead_proxy'] };
      const report = { nodeId, reportId: 'later', capabilities, at: world.clock.now().toISOString() };
      await world.runner.run(
        sessionDecider,
        uuidOf(id),
        { type: 'ReportEgress', ...report },
        systemContext('later', 'callback:node'),
      );
      expect(await world.sessions.describe(id)).to.deep.equal({ kind: 'created', body: session });
    });

    it('says when a free session ends on its own: 20 minutes after its request', async () => {
      const { session } = await world.sessions.create(newCaller('free', 1), newSessionId(), {});
      expect(session.expires_at).to.equal('2026-01-05T12:20:00.000Z');
    });

    it('stops at the concurrency cap without a reservation, and works again after a destroy', async () => {
      const caller = newCaller('personal', 1);
      const first = newSessionId();
      await world.sessions.create(caller, first, {});
      const refused = world.sessions.create(again(caller), newSessionId(), {});
      expect(await slugOf(refused)).to.equal('concurrency-limit');
      await world.sessions.destroy(again(caller), await world.sessions.find(caller, first));
      await world.sessions.create(again(caller), newSessionId(), {});
      expect(world.fleet.destroyed).to.deep.equal([first]);
    });

    it('takes no profile and no unknown archetype', async () => {
      const create = (body: object) => world.sessions.create(newCaller(), newSessionId(), body);
      expect(await slugOf(create({ profile_id: 'prof_x' }))).to.equal('not-found');
      expect(await slugOf(create({ archetype: 'nokia-3310' }))).to.equal('validation-failed');
    });

    it('releases the slot if no node takes the session', async () => {
      world.fleet.onPlace = () => Promise.resolve(undefined);
      const caller = newCaller('personal', 1);
      const id = newSessionId();
      expect(await slugOf(world.sessions.create(caller, id, {}))).to.equal('driver-not-integrated');
      expect(await world.eventsOf('session', id)).to.deep.equal([]);
      expect(await world.eventsOf('account_slots', caller.accountId)).to.deep.equal([
        'SlotReserved',
        'SlotReleased',
      ]);
    });

    it('says in the log why a session with a slot was refused', async () => {
      world.fleet.onPlace = () => Promise.resolve(undefined);
      const caller = newCaller();
      await slugOf(world.sessions.create(caller, newSessionId(), {}));
      const slots = world.store.readStream(`account_slots-${uuidOf(caller.accountId)}`, { from: 1n });
      for await (const { data } of slots) expect(data).to.include({ refusal: 'driver-not-integrated' });
    });

    it('does not request a session whose slot may be released meanwhile', async () => {
      world.fleet.onPlace = async () => {
        world.clock.advance(31_000);
        return nodeId;
      };
      const id = newSessionId();
      expect(await slugOf(world.sessions.create(newCaller(), id, {}))).to.equal('driver-not-integrated');
      expect(await world.eventsOf('session', id)).to.deep.equal([]);
    });

    for (const [kind, slug] of [
      ['driver', 'driver-error'],
      ['timeout', 'session-timeout'],
      ['unsupported', 'driver-not-integrated'],
    ] as const) {
      it(`answers ${slug} when the browser does not start (${kind}), and frees the slot`, async () => {
        const failure = { kind, category: 'session_error', reason: 'It did not start.' } as const;
        world.fleet.onCreate = () => Promise.resolve({ outcome: 'failed', failure });
        const caller = newCaller('personal', 1);
        const id = newSessionId();
        expect(await slugOf(world.sessions.create(caller, id, {}))).to.equal(slug);
        expect(await world.eventsOf('session', id)).to.deep.equal(['SessionRequested', 'SessionErrored']);
        expect(await world.eventsOf('account_slots', caller.accountId)).to.include('SlotReleased');
      });
    }

    it('answers session-timeout if the node is silent, and has any browser closed without waiting', async () => {
      world.fleet.onCreate = () => Promise.reject(new NodeSilent('no answer'));
      world.fleet.onDestroy = () => new Promise(() => undefined);
      const id = newSessionId();
      expect(await slugOf(world.sessions.create(newCaller(), id, {}))).to.equal('session-timeout');
      expect(world.fleet.destroyed).to.deep.equal([id]);
    });

    it('loses to a DELETE with session-destroyed, and the browser is closed', async () => {
      const caller = newCaller();
      const id = newSessionId();
      world.fleet.onCreate = async () => {
        await world.sessions.destroy(again(caller), await world.sessions.find(caller, id));
        return { outcome: 'succeeded', egress_capabilities: null };
      };
      expect(await slugOf(world.sessions.create(caller, id, {}))).to.equal('session-destroyed');
      expect(await world.eventsOf('session', id)).to.deep.equal(['SessionRequested', 'SessionDestroyed']);
      expect(world.fleet.destroyed).to.deep.equal([id, id]);
    });
  });

  describe('the outcome of a creation', () => {
    it('is read from the stream, and does not change whatever happens to the session later', async () => {
      const caller = newCaller();
      const id = newSessionId();
      expect(await world.sessions.describe(id)).to.deep.equal({ kind: 'absent' });
      const { session: body } = await world.sessions.create(caller, id, {});
      world.clock.advance(5000);
      const created = { kind: 'created', body };
      expect(await world.sessions.describe(id)).to.deep.equal(created);
      await world.sessions.destroy(again(caller), await world.sessions.find(caller, id));
      expect(await world.sessions.describe(id)).to.deep.equal(created);
    });

    it('is the refusal with which it ended', async () => {
      world.fleet.onCreate = () => Promise.reject(new NodeSilent('no answer'));
      const id = newSessionId();
      await slugOf(world.sessions.create(newCaller(), id, {}));
      const result = await world.sessions.describe(id);
      expect(result.kind === 'refused' && result.refusal.slug).to.equal('session-timeout');
    });
  });

  describe('a creation killed', () => {
    const kill = async (commands: number, id: SessionId, caller: Caller): Promise<void> => {
      const dying = world.with({ runner: dyingRunner(world.runner, commands) }).create(caller, id, {});
      expect(await dying.catch((error: unknown) => error)).to.be.instanceOf(Killed);
    };
    /** Fires the timers once every lease has expired. */
    const passLeases = async (id: SessionId, { accountId }: Caller): Promise<void> => {
      world.clock.advance(90_000);
      await world.sessions.expireCreationLease(id, systemContext(`creation_lease-${id}`, 'timer:test'));
      await world.sessions.releaseOrphanedSlot(
        accountId,
        id,
        systemContext(`slot_lease-${id}`, 'timer:test'),
      );
    };

    it('after its slot was reserved releases the slot when the lease ends, not before', async () => {
      const [caller, id] = [newCaller('personal', 1), newSessionId()];
      await kill(1, id, caller);
      await world.sessions.releaseOrphanedSlot(caller.accountId, id, systemContext('early', 'timer:test'));
      expect(await slugOf(world.sessions.create(again(caller), newSessionId(), {}))).to.equal(
        'concurrency-limit',
      );
      await passLeases(id, caller);
      expect(await world.sessions.describe(id)).to.deep.equal({ kind: 'absent' });
      await world.sessions.create(again(caller), newSessionId(), {});
    });

    it('or only suspended until the lease has ended does not continue without a slot', async () => {
      const [caller, id] = [newCaller('personal', 1), newSessionId()];
      world.fleet.onPlace = async () => {
        // Its own clock does not show that: the lease expired by another process's clock.
        world.clock.advance(90_000);
        await passLeases(id, caller);
        world.clock.advance(-180_000);
        return nodeId;
      };
      expect(await slugOf(world.sessions.create(caller, id, {}))).to.equal('session-timeout');
      expect(await world.eventsOf('session', id)).to.deep.equal(['SessionWithdrawn']);
      expect(await world.sessions.describe(id)).to.deep.equal({ kind: 'absent' });
      world.fleet.onPlace = () => Promise.resolve(nodeId);
      await world.sessions.create(again(caller), newSessionId(), {});
    });

    it('after its session was requested is errored when the lease ends, and never dispatched', async () => {
      const [caller, id] = [newCaller('personal', 1), newSessionId()];
      await kill(2, id, caller);
      expect(await world.sessions.describe(id)).to.deep.equal({ kind: 'creating' });
      await passLeases(id, caller);
      expect(await world.eventsOf('session', id)).to.deep.equal(['SessionRequested', 'SessionErrored']);
      expect(world.fleet.created).to.deep.equal([]);
      await world.sessions.create(again(caller), newSessionId(), {});
    });

    it('after its browser was started is errored when the lease ends, and the browser is closed', async () => {
      const [caller, id] = [newCaller('personal', 1), newSessionId()];
      world.fleet.onCreate = () => Promise.reject(new Killed());
      await world.sessions
        .create(caller, id, {})
        .catch((error: unknown) => expect(error).to.be.instanceOf(Killed));
      await passLeases(id, caller);
      expect(world.fleet.created).to.deep.equal([id]);
      expect(world.fleet.destroyed).to.deep.equal([id]);
      expect(await world.eventsOf('account_slots', caller.accountId)).to.deep.equal([
        'SlotReserved',
        'SlotReleased',
      ]);
    });

    it('after its session was ready leaves a session that works, and keeps its slot', async () => {
      const [caller, id] = [newCaller('personal', 1), newSessionId()];
      await kill(3, id, caller);
      expect((await world.sessions.describe(id)).kind).to.equal('created');
      await passLeases(id, caller);
      expect(await world.eventsOf('account_slots', caller.accountId)).to.deep.equal(['SlotReserved']);
      await world.sessions.operate(again(caller), await world.sessions.find(caller, id), 'navigate', {});
    });
  });
});
