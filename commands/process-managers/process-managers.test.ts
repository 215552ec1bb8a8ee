import { runningSessions } from '../../projections/queries/session.ts';
import { dueTimersIn } from '../../projections/queries/timer.ts';
import { expect } from 'chai';
import { sessionEvents, type SessionEvent } from '../../contracts/events/session.ts';
import { uuidOf, type SessionId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { session } from '../../domain/session/session.ts';
import { systemClock } from '../../infra/platform/clock.ts';
import { EventStoreUnavailable } from '../../infra/event-store/client/index.ts';
import { connectPostgres, migrate, postgresMigrations, type Postgres } from '../../infra/postgres/index.ts';
import { createWakeUps } from '../../infra/queue/index.ts';
import { freshDatabase, until, type TestDatabase } from '../../infra/verification/testbed/index.ts';
import { projectionMigrations, startProjector, type Projector } from '../../projections/index.ts';
import { upkeepOn } from '../agent-session/testing.ts';
import type { Caller } from '../engine/context.ts';
import { createNodeCommands } from '../node/index.ts';
import {
  again,
  createWorld,
  newCaller,
  newContext,
  newSessionId,
  nodeId,
  openStore,
  quiet,
  testLimits,
  type World,
} from '../session/testing.ts';
import {
  defaultProcessSettings,
  handleWakeUps,
  reactionParkingIn,
  processManager,
  processMigrations,
  revokedNodesManager,
  startProcesses,
  type ProcessManager,
  type Host,
} from './index.ts';
import type { LastHeartbeat } from './lost-nodes.ts';
import { commandsOn, managersOn, queueThatIsDown } from './testing.ts';
import { noOrders } from '../order/testing.ts';

describe('processes', () => {
  let opened: Awaited<ReturnType<typeof openStore>>;
  let database: TestDatabase;
  let postgres: Postgres;
  let projector: Projector;
  let world: World;
  let caller: Caller;
  let hosts: Host[];
  before(async () => {
    [opened, database] = await Promise.all([openStore(), freshDatabase()]);
    postgres = connectPostgres({ url: database.url, logger: quiet });
    await migrate(postgres.pool, [...postgresMigrations, ...projectionMigrations, ...processMigrations]);
    projector = startProjector({
      store: opened.store,
      pool: postgres.pool,
      logger: quiet,
      clock: createWorld(opened.store).clock,
      standbyMs: 20,
    });
  });
  after(async () => {
    await projector.close();
    await opened.close();
    await postgres.close();
    await database.drop();
  });
  beforeEach(() => {
    world = createWorld(opened.store);
    caller = newCaller('free', 1);
    hosts = [];
  });
  afterEach(() => Promise.all(hosts.map((host) => host.close())));

  const running = () => runningSessions(postgres.pool);
  interface HostChanges {
    readonly managers?: readonly ProcessManager[];
    readonly nodes?: readonly LastHeartbeat[];
  }

  /** A host with short intervals. */
  function host({ managers = everyManager(), nodes = [] }: HostChanges = {}): Host {
    const started = startProcesses({
      ...defaultProcessSettings,
      ...{ timerSweepMs: 20, nodeSweepMs: 20, nodeLeaseMs: 50 },
      parkedRetryMs: 30,
      checkpointMs: 10,
      standbyMs: 20,
      ...{ backoffMs: 5, attempts: 3 },
      store: opened.store,
      pool: postgres.pool,
      clock: world.clock,
      logger: quiet,
      timers: dueTimersIn(postgres.pool),
      runningSessions: running,
      registry: { list: () => Promise.resolve(nodes), listeningForMs: () => Promise.resolve(Infinity) },
      ...commandsOn(world, postgres.pool),
      runner: world.runner,
      managers,
    });
    hosts.push(started);
    return started;
  }

  const everyManager = (wakeUps = queueThatIsDown): readonly ProcessManager[] =>
    managersOn(world, commandsOn(world, postgres.pool), wakeUps);

  async function newSession(owner: Caller = caller): Promise<SessionId> {
    const id = newSessionId();
    await world.sessions.create(owner, id, {});
    return id;
  }
  const lastEvent = async (id: SessionId) => (await world.eventsOf('session', id)).at(-1);
  const slotIsFree = async () =>
    (await world.eventsOf('account_slots', caller.accountId)).at(-1) === 'SlotReleased';
  /** Ends the session, as a process that dies right after does. */
  const appendEnd = (id: SessionId) =>
    world.runner.run(
      session,
      uuidOf(id),
      { type: 'DestroySession', cause: 'customer', at: world.clock.now().toISOString() },
      newContext(caller.accountId),
    );

  describe('reactions', () => {
    it('clean up after an end whose process died before it could', async () => {
      const id = await newSession();
      await appendEnd(id);
      host();
      await until(slotIsFree);
      await until(() => world.fleet.destroyed.includes(id));
    });

    it('end the sessions of a suspended account, including one requested during the suspension', async () => {
      const { accountId } = caller;
      const at = world.clock.now().toISOString();
      const run = (command: Parameters<typeof account.decide>[0]) =>
        world.runner.run(account, uuidOf(accountId), command, newContext(accountId));
      await run({ type: 'CreateAccount', accountId, sealedEmail: 'sealed', tier: 'free', at });
      const id = await newSession();
      host();
      await run({ type: 'SuspendAccount', reason: 'abuse', at });
      await until(async () => (await lastEvent(id)) === 'SessionDestroyed');
      await until(slotIsFree);
      const late = newSessionId();
      await world.sessions
        .create(again(caller), late, {})
        .catch((error: unknown) => expect(error).to.include({ slug: 'session-destroyed' }));
      await until(async () => (await lastEvent(late)) === 'SessionDestroyed');
    });
  });

  /** A process manager for the end of one session, with a reaction given by the test. */
  const onEndOf = (id: SessionId, perform: (commandId: string) => Promise<void>): ProcessManager =>
    processManager({
      name: `end-of-${id}`,
      category: sessionEvents,
      react: (event: SessionEvent) =>
        event.type === 'SessionDestroyed' && event.data.sessionId === id ? ['ended'] : [],
      perform: (_ended, { commandId }) => perform(commandId),
    });

  describe('a process host', () => {
    it('retries a failed reaction as the same command', async () => {
      const id = await newSession();
      await appendEnd(id);
      const tried: string[] = [];
      const manager = onEndOf(id, async (commandId) => {
        if (tried.push(commandId) < 3) throw new Error('not yet');
      });
      host({ managers: [manager] });
      await until(() => tried.length === 3);
      expect(new Set(tried).size).to.equal(1);
      expect(await reactionParkingIn(postgres.pool).list()).to.deep.equal([]);
    });

    it('parks a reaction that keeps failing, continues, and lets it take effect once it can', async () => {
      const [poison, other] = [await newSession(), await newSession(newCaller())];
      await appendEnd(poison);
      await appendEnd(other);
      let isFixed = false;
      const seen: string[] = [];
      const poisoned = onEndOf(poison, async () => {
        if (!isFixed) throw new Error('poison\u0000');
      });
      host({ managers: [poisoned, onEndOf(other, async (commandId) => void seen.push(commandId))] });
      const [parked] = await until(async () => {
        const rows = await reactionParkingIn(postgres.pool).list();
        return rows.length > 0 && rows;
      });
      expect(parked).to.include({ stream: `session-${uuidOf(poison)}`, reason: 'Error: poison\uFFFD' });
      await until(() => seen.length > 0);
      isFixed = true;
      await until(async () => (await reactionParkingIn(postgres.pool).list()).length === 0);
    });

    it('continues where the previous one stopped, and repeats what had not taken effect', async () => {
      const [done, undone] = [await newSession(), await newSession(newCaller())];
      await appendEnd(done);
      await appendEnd(undone);
      const seen: string[] = [];
      const managers = [
        onEndOf(done, async () => void seen.push('done')),
        onEndOf(undone, async (commandId) => {
          seen.push(commandId);
          throw new EventStoreUnavailable('for as long as the test needs it');
        }),
      ];
      const first = host({ managers });
      await until(() => seen.length >= 2);
      await first.close();
      const before = seen.splice(0);
      host({ managers });
      await until(() => seen.length >= 2);
      expect(before).to.include('done');
      expect(new Set([...before, ...seen]).size).to.equal(2);
      expect(seen).not.to.include('done');
    });

    it('works alone: another stands by and takes over', async () => {
      const one = host();
      await until(() => one.working());
      const other = host();
      const id = await newSession();
      await appendEnd(id);
      await until(slotIsFree);
      expect(other.working()).to.equal(false);
      await one.close();
      await until(() => other.working());
    });

    it('survives the loss of its connection', async () => {
      const one = host();
      await until(() => one.working());
      await postgres.pool.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      const id = await newSession();
      await appendEnd(id);
      await until(slotIsFree);
    });
  });

  describe('timers', () => {
    it('whose wake-ups were lost are found by the sweep, and none fires early', async () => {
      const id = await newSession();
      world.clock.advance(1);
      const later = await newSession(newCaller('free', 1));
      host();
      world.clock.advance(20 * 60_000 - 1);
      await until(async () => (await lastEvent(id)) === 'SessionDestroyed');
      await until(slotIsFree);
      expect(await lastEvent(later)).to.equal('SessionReady');
      world.clock.advance(1);
      await until(async () => (await lastEvent(later)) === 'SessionDestroyed');
    });

    it('fire by their wake-ups alone, and at their time', async () => {
      const wakeUps = createWakeUps({ url: database.url, clock: systemClock, logger: quiet });
      const limits = { ...testLimits, freeSessionMs: 1500 };
      const sessions = world.with({ clock: systemClock, limits });
      const parts = { orders: noOrders, clock: systemClock, sessions, runner: world.runner, logger: quiet };
      const timers = dueTimersIn(postgres.pool);
      handleWakeUps(wakeUps, { ...parts, timers, agentSessions: upkeepOn(parts) });
      host({ managers: everyManager(wakeUps) });
      const id = newSessionId();
      await sessions.create(caller, id, {});
      const { expiresAt, endedAt } = await until(async () => {
        const { state } = await world.runner.load(session, uuidOf(id));
        return state.status === 'destroyed' && state;
      });
      await wakeUps.close();
      expect(Date.parse(endedAt)).to.be.at.least(Date.parse(expiresAt ?? ''));
    });
  });

  describe('the sessions of a lost node', () => {
    it('are errored after the lease', async () => {
      const id = await newSession();
      host({ nodes: [{ nodeId, sessions: [], ageMs: 0 }] });
      await until(async () => {
        world.clock.advance(10);
        return (await lastEvent(id)) === 'SessionErrored';
      });
      await until(slotIsFree);
    });

    it('are errored at once when the node is revoked', async () => {
      const id = await newSession();
      const nodes = createNodeCommands(world);
      await nodes.register({ nodeId, name: 'one', credentialHash: 'hash' });
      await until(async () => (await running()).some((each) => each.id === id));
      host({ managers: [revokedNodesManager({ runningSessions: running, sessions: world.sessions })] });
      await nodes.revoke(nodeId, newContext(null));
      await until(async () => (await lastEvent(id)) === 'SessionErrored');
    });
  });
});
