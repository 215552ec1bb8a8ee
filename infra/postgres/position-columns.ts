import type { Position } from '../event-store/client/types.ts';

/** A log position in two columns, as returned by the driver. */
export interface PositionColumns {
  readonly commit_position: string;
  readonly prepare_position: string;
}

export const fromColumns = (row: PositionColumns): Position => ({
  commit: BigInt(row.commit_position),
  prepare: BigInt(row.prepare_position),
});

export const toColumns = ({ commit, prepare }: Position): PositionColumns => ({
  commit_position: String(commit),
  prepare_position: String(prepare),
});
