import type { ExistingAgentSession } from './state.ts';

/** True during a turn, which its lease ends, and while a client has or requests the controls, which its heartbeat ends. */
export const isInUse = ({ turn, pair }: ExistingAgentSession): boolean =>
  turn !== null || (pair !== null && pair.clientId !== null);

/** Time of the latest message or activity of a person, for its driver session too. */
export const lastUseOf = (state: ExistingAgentSession, at: string): string =>
  isInUse(state) ? at : (state.idle?.usedAt ?? state.updatedAt);
