import type { AgentSessionEvent } from '../../contracts/events/agent-session.ts';

/** What happens to an agent session without anybody using it. */
const unused: ReadonlySet<AgentSessionEvent['type']> = new Set<AgentSessionEvent['type']>([
  'TurnAbandoned',
  'TakeoverExpired',
  'PairModeTimedOut',
  'AgentSessionPaused',
  'ResumeExpired',
  'AgentSessionResumed',
  'DriverSessionLost',
  'ErrorRaised',
  'AgentIdleTimeoutExtended',
  'AgentSessionClosed',
]);

export const isUse = ({ type }: AgentSessionEvent): boolean => !unused.has(type);
