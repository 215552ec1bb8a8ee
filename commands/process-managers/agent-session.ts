import { agentSessionEvents } from '../../contracts/events/agent-session.ts';
import { sessionEvents } from '../../contracts/events/session.ts';
import { refundUnused, type RefundPorts, type AgentSessionUpkeep } from '../agent-session/index.ts';
import { reactingTo, type ProcessManager } from './engine/process-manager.ts';

/** Reactions of agent sessions and their driver sessions to each other's events. */
export const agentSessionManagers = (
  agents: AgentSessionUpkeep,
  ports: RefundPorts,
): readonly ProcessManager[] => [
  reactingTo('agent-driver-sessions', sessionEvents, {
    SessionDestroyed: ({ sessionId }, context) => agents.loseDriverSession(sessionId, context),
    SessionErrored: ({ sessionId }, context) => agents.loseDriverSession(sessionId, context),
    ChallengeDetected: (data, context) => agents.pause(data, context),
  }),
  reactingTo('agent-sessions', agentSessionEvents, {
    AgentSessionClosed: ({ agentSessionId }, context) => agents.releaseClosed(agentSessionId, context),
    TurnSettled: (turn, context) => refundUnused(ports, turn, context),
    TurnFailed: (turn, context) => refundUnused(ports, turn, context),
    TurnSuperseded: (turn, context) => refundUnused(ports, turn, context),
    TurnAbandoned: (turn, context) => refundUnused(ports, turn, context),
    DriverSessionLost: (data, context) => agents.endDriverSession(data, context),
    HandbackRequested: (data, context) => agents.completeHandback(data, context),
    HandbackPromoted: (data, context) => agents.completeHandback(data, context),
  }),
];
