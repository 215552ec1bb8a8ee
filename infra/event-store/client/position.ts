import type { Position } from './types.ts';

/** Before every event. */
export const origin: Position = { commit: -1n, prepare: -1n };

/** Start of a read behind the position. */
export const startAfter = (position: Position | undefined): Position | 'start' =>
  position === undefined || compare(position, origin) === 0 ? 'start' : position;

/** By commit position, then by prepare position: negative if `a` comes first, 0 if they are equal. */
export const compare = (a: Position, b: Position): number =>
  a.commit === b.commit ? Number(a.prepare - b.prepare) : a.commit < b.commit ? -1 : 1;

/** Whether `a` is behind `b` in the log. */
export const isAfter = (a: Position, b: Position): boolean => compare(a, b) > 0;

/** `commit/prepare`, the format for clients. */
export const positionText = ({ commit, prepare }: Position): string => `${commit}/${prepare}`;

/** Unsigned 63-bit numbers, like the log's. */
const shape = /^(\d{1,18})\/(\d{1,18})$/;

/** Undefined for an invalid text. */
export function parsePosition(text: string): Position | undefined {
  const [, commit, prepare] = shape.exec(text) ?? [];
  return commit === undefined || prepare === undefined
    ? undefined
    : { commit: BigInt(commit), prepare: BigInt(prepare) };
}
