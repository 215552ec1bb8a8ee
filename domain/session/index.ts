import { sessionEvents, type SessionEvent } from '../../contracts/events/session.ts';
import type { Decider } from '../kit/decider.ts';
import type { SessionCommand } from './commands.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import { noSession, type Session } from './state.ts';

/**
 * One browser from its durable reservation to its end: none → creating → ready ⇄ busy → errored or destroyed.
 * At most one operation holds the browser; an ended session takes nothing more.
 */
export const session: Decider<Session, SessionCommand, SessionEvent> = {
  category: sessionEvents,
  initialState: noSession,
  decide,
  evolve,
};

export { isLive } from './state.ts';
export type * from './state.ts';
export type * from './commands.ts';
export { reactToSession, type SessionReaction } from './react.ts';
