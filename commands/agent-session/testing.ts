import { v7 as uuidv7 } from 'uuid';
import { toId, uuidOf, type AgentSessionId, type SessionId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { CreateAgentSession } from '../../contracts/resources/agent-session.ts';
import { agentSession } from '../../domain/agent-session/agent-session.ts';
import type { AgentSessionCommand } from '../../domain/agent-session/commands.ts';
import { exists, type ExistingAgentSession } from '../../domain/agent-session/state.ts';
import { session } from '../../domain/session/session.ts';
import type { EventStore } from '../../infra/event-store/client/types.ts';
import type { LiveFleet } from '../../infra/fleet/control-plane/port.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Heartbeats } from '../../infra/ephemeral/index.ts';
import type { Caller } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';
import type { SessionCommands } from '../session/index.ts';
import { again, createWorld, newCaller, newContext, newSessionId, type World } from '../session/testing.ts';
import {
  createAgentSessionCommands,
  createAgentSessionUpkeep,
  type AgentSessionPorts,
  type AgentSettings,
  type OwnedAgentSession,
  type UpkeepPorts,
} from './index.ts';
import { holderOf } from './holder.ts';

export const testSettings: AgentSettings = {
  models: ['claude-fable-5-2', 'claude-haiku-5-5'],
  tokenBudget: 100_000,
  turnLeaseMs: 30_000,
  pairHeartbeatMs: 30_000,
  resumeWithinMs: 10 * 60_000,
  startWithinMs: 90_000,
  grants: true,
};

/** Heartbeats in memory. */
export function memoryHeartbeats(clock: Clock): Heartbeats {
  const signs = new Map<string, string>();
  return {
    record: (key) => void signs.set(key, clock.now().toISOString()),
    last: (key) => Promise.resolve(signs.get(key) ?? null),
  };
}

/** A fleet that is unavailable. */
export const unreachable: Pick<LiveFleet, 'live'> = {
  live: () => Promise.resolve({ status: 'unavailable', reason: 'There is no node.' }),
};

interface Deciding extends CommandPorts {
  readonly sessions: SessionCommands;
}

/** Upkeep of agent sessions with the given ports. */
export const upkeepOn = ({ runner, clock, sessions }: Deciding, ports: Partial<UpkeepPorts> = {}) =>
  createAgentSessionUpkeep({
    ...{ runner, clock, sessions },
    fleet: unreachable,
    heartbeats: memoryHeartbeats(clock),
    settings: testSettings,
    ...ports,
  });

/** Agent sessions and driver sessions on a real event store, with nodes controlled by the test. */
export function agentWorld(store: EventStore) {
  const world = createWorld(store);
  const caller = newCaller('enterprise', 20);
  const challenges = { cleared: false, asked: 0 };
  const ports = portsOn(world, challenges);
  const agents = createAgentSessionCommands(ports);
  const next = (): Caller => again(caller);
  return {
    ...{ world, caller, challenges, ports, agents, next },
    ...streamsOf(world, caller),
    upkeep: createAgentSessionUpkeep(ports),
    async driverSession(): Promise<SessionId> {
      const id = newSessionId();
      await world.sessions.create(next(), id, {});
      return id;
    },
    async created(body: CreateAgentSession = {}): Promise<OwnedAgentSession> {
      const id = newAgentSessionId();
      await agents.create(next(), id, body);
      return { id, accountId: caller.accountId };
    },
  };
}

export type AgentWorld = ReturnType<typeof agentWorld>;

export const newAgentSessionId = (): AgentSessionId => toId('agentSession', uuidv7());

/** Nodes answer for challenges as the test sets, and count the questions. */
const portsOn = (
  world: World,
  challenges: { readonly cleared: boolean; asked: number },
): AgentSessionPorts => ({
  ...{ runner: world.runner, clock: world.clock, sessions: world.sessions },
  fleet: {
    live: async () => {
      challenges.asked += 1;
      // Only challenges are asked for here.
      return { status: 'ok', result: { cleared: challenges.cleared } as never };
    },
  },
  heartbeats: memoryHeartbeats(world.clock),
  settings: testSettings,
  proxies: { find: () => Promise.reject(refuse('not-found')) },
  vault: { seal: (_owner, _field, text) => Promise.resolve(`sealed ${text}`) },
  addresses: { checkText: (text) => new URL(text) },
  videoFor: () => Promise.resolve(undefined),
});

/** Reads of the streams, and changes by other processes. */
function streamsOf(world: World, caller: Caller) {
  const now = () => world.clock.now().toISOString();
  const decide = (id: AgentSessionId, command: AgentSessionCommand) =>
    world.runner.run(agentSession, uuidOf(id), command, newContext(caller.accountId));
  return {
    ...{ now, decide },
    holder: async (id: SessionId) => (await holderOf(world, id))?.agentSessionId ?? null,
    statusOf: async (id: SessionId) => (await world.eventsOf('session', id)).at(-1),
    /** The cause of a destroyed driver session's end. */
    async causeOf(id: SessionId) {
      const { state } = await world.runner.load(session, uuidOf(id));
      return state.status === 'destroyed' ? state.cause : undefined;
    },
    async stateOf(id: AgentSessionId): Promise<ExistingAgentSession> {
      const { state } = await world.runner.load(agentSession, uuidOf(id));
      if (exists(state)) return state;
      throw new Error(`The agent session is ${state.status}.`);
    },
    /** A turn of another process; on its driver session, if given. */
    async turn(id: AgentSessionId, sessionId?: SessionId): Promise<string> {
      const [turnId, at] = [uuidv7(), now()];
      const sealed = { sealedMessage: 'sealed', sealedExhausted: 'sealed' };
      const leaseExpiresAt = new Date(world.clock.now().getTime() + 30_000).toISOString();
      await decide(id, { type: 'AdmitMessage', turnId, ...sealed, leaseExpiresAt, at });
      const step = { turnId, sealedInterrupted: 'sealed', heartbeatDueAt: leaseExpiresAt, at };
      if (sessionId) await decide(id, { type: 'SpawnDriverSession', ...step, sessionId });
      return turnId;
    },
  };
}
