import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';

/** Events that do not count as activity for the idle timeout. */
const unused: ReadonlySet<AgentSessionEvent['type']> = new Set<AgentSessionEvent['type']>([
  'MessageWithdrawn',
  'TurnAbandoned',
  'TakeoverExpired',
  'PairModeTimedOut',
  'AgentSessionPaused',
  'ResumeExpired',
  'AgentSessionResumed',
  'DriverSessionLost',
  'DrainAnnounced',
  'ErrorRaised',
  'AgentIdleTimeoutExtended',
  'AgentSessionClosed',
]);

export const isUse = ({ type }: AgentSessionEvent): boolean => !unused.has(type);
