import type { AgentMode, PairKind } from '../../contracts/resources/agent-session.ts';

/** The holder of a pair session's controls, and the client that requests them. */
export interface Pair {
  readonly kind: PairKind;
  /** Null while the agent drives and the controls are not requested. */
  readonly clientId: string | null;
  /** The client's participant in the room, if it named one. */
  readonly participant?: string | undefined;
  readonly since: string;
  /** When the controls were requested, or given back. Absent: `since`. */
  readonly requestedAt?: string;
}

export const driving = (since: string): Pair => ({ kind: 'ai-driving', clientId: null, since });

/** The controls of a session that has just come into the mode; null outside pair mode. */
export const firstPair = (mode: AgentMode, since: string): Pair | null =>
  mode === 'pair' ? driving(since) : null;

/** The time of the request, for the states that follow it. */
export const requestOf = (pair: Pair | null): Pick<Pair, 'requestedAt'> =>
  pair === null ? {} : { requestedAt: pair.requestedAt ?? pair.since };

interface Request {
  readonly clientId: string;
  readonly participant?: string | undefined;
}

/** Whether the client that has requested the controls without a participant names one now. */
export const namesParticipant = (pair: Pair, { clientId, participant }: Request): boolean =>
  (pair.kind === 'takeover-pending' || pair.kind === 'takeover-queued') &&
  pair.clientId === clientId &&
  pair.participant === undefined &&
  participant !== undefined;
