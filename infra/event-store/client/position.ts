import type { Position } from './types.ts';

/** Before every event. */
export const origin: Position = { commit: -1n, prepare: -1n };

/** From where to read what comes after the position. */
export const startAfter = (position: Position | undefined): Position | 'start' =>
  position === undefined || compare(position, origin) === 0 ? 'start' : position;

/** By commit position, then, within one commit, by prepare position: negative when `a` comes first, 0 when they are the same. */
export const compare = (a: Position, b: Position): number =>
  a.commit === b.commit ? Number(a.prepare - b.prepare) : a.commit < b.commit ? -1 : 1;

/** Whether `a` lies behind `b` in the log. */
export const isAfter = (a: Position, b: Position): boolean => compare(a, b) > 0;
