import type { Position } from '../infra/event-store/types.ts';

/** Before every event. */
export const origin: Position = { commit: -1n, prepare: -1n };

/** Negative when `a` comes first in the log, 0 when they are the same. */
export const compare = (a: Position, b: Position): number =>
  a.commit === b.commit ? Number(a.prepare - b.prepare) : a.commit < b.commit ? -1 : 1;

export const isAfter = (a: Position, b: Position): boolean => compare(a, b) > 0;

export interface PositionColumns {
  readonly commit_position: string;
  readonly prepare_position: string;
}

export const fromColumns = (row: PositionColumns): Position => ({
  commit: BigInt(row.commit_position),
  prepare: BigInt(row.prepare_position),
});
