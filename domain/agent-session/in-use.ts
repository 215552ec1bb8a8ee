import type { ExistingAgentSession } from './state.ts';

/** A turn ends by its lease, and a client's hold by its heartbeat, so that neither lasts without anybody. */
export const isInUse = ({ turn, pair }: ExistingAgentSession): boolean =>
  turn !== null || (pair !== null && pair.clientId !== null);

/** By messages and people, for the session that it works with. */
export const lastUseOf = (state: ExistingAgentSession, at: string): string =>
  isInUse(state) ? at : (state.idle?.usedAt ?? state.updatedAt);
