import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import {
  toId,
  uuidOf,
  type AccountId,
  type NodeId,
  type ProfileId,
  type SessionId,
} from '../../contracts/ids.ts';
import type {
  CreateDispatch,
  CreateOutcome,
  DispatchedProfile,
  OperationOutcome,
} from '../../contracts/fleet/protocol.ts';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import { Refusal, refuse } from '../../contracts/problems.ts';
import { tierLimits, type Tier } from '../../contracts/tiers.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { EventStore } from '../../infra/event-store/client/index.ts';
import type { Fleet } from '../../infra/fleet/control-plane/port.ts';
import { startEventLog } from '../../infra/verification/testbed/index.ts';
import type { Caller, CommandContext } from '../engine/context.ts';
import { createRunner, type Runner } from '../engine/runner.ts';
import {
  createSessionCommands,
  type SessionCommands,
  type SessionLimits,
  type SessionPorts,
} from './index.ts';

export const nodeId = toId('node', '0197f1a0-0000-7000-8000-000000000003');
export const quiet = pino({ level: 'silent' });

/** A clock that advances only on request. */
export class TestClock implements Clock {
  #now = Date.parse('2026-01-05T12:00:00.000Z');
  now(): Date {
    return new Date(this.#now);
  }
  advance(ms: number): void {
    this.#now += ms;
  }
}

/** Nodes controlled by the test, with a record of calls. */
export class ScriptedFleet implements Fleet {
  readonly created: SessionId[] = [];
  readonly proxies: DialledProxy[] = [];
  readonly profiles: DispatchedProfile[] = [];
  readonly dispatched: string[] = [];
  readonly destroyed: SessionId[] = [];
  onPlace: () => Promise<NodeId | undefined> = () => Promise.resolve(nodeId);
  onCreate: (session: SessionId) => Promise<CreateOutcome> = () =>
    Promise.resolve({ outcome: 'succeeded', egress_capabilities: null });
  onOperate: (session: SessionId) => Promise<OperationOutcome> = () =>
    Promise.resolve({ outcome: 'succeeded', result: { done: true } });
  onDestroy: () => Promise<void> = () => Promise.resolve();

  place(): Promise<NodeId | undefined> {
    return this.onPlace();
  }
  create(_node: NodeId, { session_id, proxy, profile }: CreateDispatch): Promise<CreateOutcome> {
    this.created.push(session_id);
    if (proxy) this.proxies.push(proxy);
    if (profile) this.profiles.push(profile);
    return this.onCreate(session_id);
  }
  operate(
    _node: NodeId,
    session: SessionId,
    { dispatch_id }: { dispatch_id: string },
  ): Promise<OperationOutcome> {
    this.dispatched.push(dispatch_id);
    return this.onOperate(session);
  }
  destroy(_node: NodeId, session: SessionId): Promise<void> {
    this.destroyed.push(session);
    return this.onDestroy();
  }
}

export interface World {
  readonly clock: TestClock;
  readonly fleet: ScriptedFleet;
  readonly store: EventStore;
  readonly runner: Runner;
  readonly sessions: SessionCommands;
  /** The same handlers with some of their ports changed. */
  with(changes: Partial<SessionPorts>): SessionCommands;
  /** The types of a stream's events, oldest first. */
  eventsOf(
    category: 'session' | 'account_slots' | 'profile',
    id: SessionId | AccountId | ProfileId,
  ): Promise<string[]>;
}

/** A real event store for several tests; each has accounts and sessions of its own. */
export async function openStore(): Promise<{ readonly store: EventStore; close(): Promise<void> }> {
  const log = await startEventLog();
  const store = log.connect({ logger: quiet });
  return {
    store,
    close: async () => {
      await store.close();
      await log.close();
    },
  };
}

/** The store of a whole suite: opened before its first test, closed after its last. */
export function useStore(): { readonly store: EventStore } {
  let opened: Awaited<ReturnType<typeof openStore>>;
  before(async () => {
    opened = await openStore();
  });
  after(() => opened.close());
  return {
    get store() {
      return opened.store;
    },
  };
}

const archetype = {
  id: 'iphone-15',
  name: 'iPhone 15',
  device: 'iPhone',
  os: 'iOS',
  os_version: '18.6',
  browser: 'Safari',
  browser_version: '18.6',
  user_agent: 'test',
  viewport: { width: 393, height: 659 },
  screen: { width: 393, height: 852 },
  device_pixel_ratio: 3,
};
const archetypes = { default: archetype.id, archetypes: [archetype] };

export const testLimits: SessionLimits = {
  slotLeaseMs: 60_000,
  creationDeadlineMs: 60_000,
  creationLeaseMs: 90_000,
  operationTimeoutMs: 30_000,
  silenceGraceMs: 15_000,
  freeSessionMs: 20 * 60_000,
  saveLeaseMs: 5 * 60_000,
  profileWaitMs: 30_000,
};

const noProxies: SessionPorts['proxies'] = {
  open: () => Promise.reject(refuse('not-found')),
  probe: () => Promise.resolve(null),
};

export function createWorld(store: EventStore): World {
  const clock = new TestClock();
  const fleet = new ScriptedFleet();
  const runner = createRunner({ store, logger: quiet, cacheEntries: 1000 });
  const ports: SessionPorts = {
    runner,
    fleet,
    clock,
    proxies: noProxies,
    archetypes,
    limits: testLimits,
    // A pause advances the test clock.
    pause: (ms) => Promise.resolve(clock.advance(ms)),
    logger: quiet,
  };
  return {
    clock,
    fleet,
    store,
    runner,
    sessions: createSessionCommands(ports),
    with: (changes) => createSessionCommands({ ...ports, ...changes }),
    eventsOf: async (category, id) => {
      const types: string[] = [];
      for await (const { type } of store.readStream(`${category}-${uuidOf(id)}`)) types.push(type);
      return types;
    },
  };
}

/** A world with one ready session, and its owner, whose tier allows no second one. */
export async function createWorldWithSession(
  store: EventStore,
  tier: Tier,
): Promise<{ readonly world: World; readonly caller: Caller; readonly id: SessionId }> {
  const [world, caller, id] = [createWorld(store), newCaller(tier, 1), newSessionId()];
  await world.sessions.create(caller, id, {});
  return { world, caller, id };
}

export const newSessionId = (): SessionId => toId('session', uuidv7());

/** A caller of a new account, or of the given one, with a context of its own. */
export function newCaller(
  tier: Tier = 'team',
  limit = 3,
  accountId: AccountId = toId('account', uuidv7()),
): Caller {
  return {
    accountId,
    actorId: accountId,
    kind: 'api_key',
    webSessionId: null,
    freshUntil: null,
    tier,
    concurrentSessions: limit,
    profileCap: tierLimits[tier].profiles,
    keyId: toId('apiKey', uuidv7()),
    scopes: ['write'],
    context: newContext(accountId),
  };
}

export const again = (caller: Caller): Caller => ({ ...caller, context: newContext(caller.accountId) });

export function newContext(accountId: AccountId | null): CommandContext {
  const id = uuidv7();
  return {
    commandId: id,
    by: 'request:test',
    correlationId: id,
    causationId: id,
    actor: { kind: 'api_key', account_id: accountId },
    requestId: id,
  };
}

/** The slug of the refusal with which a request rejects. */
export async function slugOf(request: Promise<unknown>): Promise<string> {
  const error: unknown = await request.then(
    () => new Error('The request was not refused.'),
    (failure: unknown) => failure,
  );
  if (error instanceof Refusal) return error.slug;
  throw error;
}

export class Killed extends Error {}

/** A process that dies right after its `commands`th command took effect. */
export function dyingRunner(runner: Runner, commands: number): Runner {
  let left = commands;
  return {
    load: (...call) => runner.load(...call),
    run: async (...call) => {
      const outcome = await runner.run(...call);
      left -= 1;
      if (left === 0) throw new Killed();
      return outcome;
    },
  };
}
