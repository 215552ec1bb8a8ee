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

/** `commit/prepare`, as clients have it. */
export const positionText = ({ commit, prepare }: Position): string => `${commit}/${prepare}`;

/** Unsigned 63-bit numbers, as the log counts. */
const shape = /^(\d{1,18})\/(\d{1,18})$/;

/** Undefined for a text that is no position. */
export function parsePosition(text: string): Position | undefined {
  const [, commit, prepare] = shape.exec(text) ?? [];
  return commit === undefined || prepare === undefined
    ? undefined
    : { commit: BigInt(commit), prepare: BigInt(prepare) };
}
