import { agentSessionEvents, type AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { sessionEvents, type SessionEvent } from '../../contracts/events/session.ts';
import { byType, type ByType } from '../../domain/kit/decider.ts';
import type { AgentSessionUpkeep } from '../agent-session/index.ts';
import type { CommandContext } from '../engine/context.ts';
import { processManager, type ProcessManager } from './engine/process-manager.ts';

/** What is done because of an event; nothing for most. The context is the reaction's. */
type Reaction = (agents: AgentSessionUpkeep, context: CommandContext) => Promise<unknown>;
type Reactions<Event extends DomainEvent> = Partial<ByType<Event, Reaction>>;

const toDriverSessions: Reactions<SessionEvent> = {
  SessionDestroyed: (data) => (agents, context) =>
    agents.loseDriverSession({ ...data, errorName: null }, context),
  SessionErrored: (data) => (agents, context) => agents.loseDriverSession(data, context),
  ChallengeDetected: (data) => (agents, context) => agents.pause(data, context),
};

const toAgentSessions: Reactions<AgentSessionEvent> = {
  AgentSessionClosed: (data) => (agents, context) => agents.releaseClosed(data.agentSessionId, context),
  DriverSessionLost: (data) => (agents, context) => agents.endDriverSession(data, context),
  // One that is queued is granted when it is promoted.
  TakeoverRequested: (data) => (agents, context) => agents.grantTakeover(data, context),
  TakeoverPromoted: (data) => (agents, context) => agents.grantTakeover(data, context),
  AgentSessionResumed: (data) => (agents, context) => agents.grantTakeover(data, context),
  HandbackRequested: (data) => (agents, context) => agents.completeHandback(data, context),
  HandbackPromoted: (data) => (agents, context) => agents.completeHandback(data, context),
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

const reactionsTo = <Event extends DomainEvent>(table: Reactions<Event>, event: Event): Reaction[] =>
  [byType(table, event)].filter((react) => react !== undefined);
