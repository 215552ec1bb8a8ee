import { agentSessionEvents, type AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { sessionEvents, type SessionEvent } from '../../contracts/events/session.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import type { AgentSessionUpkeep } from '../agent-session/index.ts';
import type { CommandContext } from '../engine/context.ts';
import { processManager, type ProcessManager } from './engine/process-manager.ts';

/** What is done because of an event, by its type; nothing for most. The context is the reaction's. */
type Reactions<Event extends DomainEvent> = {
  readonly [Type in Event['type']]?: (
    agents: AgentSessionUpkeep,
    data: DataOf<Event, Type>,
    context: CommandContext,
  ) => Promise<unknown>;
};

const toDriverSessions: Reactions<SessionEvent> = {
  SessionDestroyed: (agents, { sessionId }, context) =>
    agents.loseDriverSession({ sessionId, errorName: null }, context),
  SessionErrored: (agents, data, context) => agents.loseDriverSession(data, context),
  ChallengeDetected: (agents, data, context) => agents.pause(data, context),
};

const toAgentSessions: Reactions<AgentSessionEvent> = {
  AgentSessionClosed: (agents, data, context) => agents.releaseClosed(data.agentSessionId, context),
  DriverSessionLost: (agents, data, context) => agents.endDriverSession(data, context),
  // One that is queued is granted when it is promoted.
  TakeoverRequested: (agents, data, context) => agents.grantTakeover(data, context),
  TakeoverPromoted: (agents, data, context) => agents.grantTakeover(data, context),
  AgentSessionResumed: (agents, data, context) => agents.grantTakeover(data, context),
  HandbackRequested: (agents, data, context) => agents.completeHandback(data, context),
  HandbackPromoted: (agents, data, context) => agents.completeHandback(data, context),
};

/** What agent sessions and the driver sessions that they work with make of each other's events. */
export const agentSessionManagers = (agents: AgentSessionUpkeep): readonly ProcessManager[] => [
  processManager({
    name: 'agent-driver-sessions',
    category: sessionEvents,
    react: (event: SessionEvent) => reactionsTo(toDriverSessions, event),
    perform: (react, context) => react(agents, context),
  }),
  processManager({
    name: 'agent-sessions',
    category: agentSessionEvents,
    react: (event: AgentSessionEvent) => reactionsTo(toAgentSessions, event),
    perform: (react, context) => react(agents, context),
  }),
];

type Reaction = (agents: AgentSessionUpkeep, context: CommandContext) => Promise<unknown>;

function reactionsTo<Event extends DomainEvent>(table: Reactions<Event>, { type, data }: Event): Reaction[] {
  // What stands under an event's type takes that event; the compiler does not relate the two.
  const react = table[type as Event['type']] as
    | ((agents: AgentSessionUpkeep, data: Event['data'], context: CommandContext) => Promise<unknown>)
    | undefined;
  return react === undefined ? [] : [(agents, context) => react(agents, data, context)];
}
