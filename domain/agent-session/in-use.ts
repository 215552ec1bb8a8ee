import { lastUse } from '../kit/idle.ts';
import type { ExistingAgentSession } from './state.ts';

/** True during a turn, which has a lease, and while a client that sends heartbeats has or requests the controls. */
export const isInUse = ({ turn, pair }: ExistingAgentSession): boolean =>
  turn !== null || (pair !== null && pair.clientId !== null);

/**
 * Time of the latest message or activity of a person; `at` while in use. It counts as activity of the driver session,
 * too.
 */
export const lastActivityOf = (state: ExistingAgentSession, at: string): string =>
  lastUse(isInUse(state), state, at);
