import { rowsOf, type Queryable } from './tables.ts';

/** A cursor among pending attempts, by their due time. */
export interface DuePosition {
  readonly next_attempt_at: Date;
  readonly id: string;
}

/** A mail or delivery with a pending attempt. */
export interface DueRow<Id extends string> extends DuePosition {
  readonly id: Id;
  readonly attempt_count: number;
}

/**
 * Rows of the table behind the cursor that are due at `by` or earlier, the longest due first. `isPending`: the condition of the
 * table's partial index on due times, or a narrower one.
 */
export const dueIn =
  <Id extends string>(pool: Queryable, table: string, isPending: string) =>
  (by: Date, after: DuePosition, limit: number): Promise<DueRow<Id>[]> =>
    rowsOf(
      pool,
      `select id, attempt_count, next_attempt_at from ${table}
       where ${isPending} and next_attempt_at <= $1
         and next_attempt_at >= $2 and (next_attempt_at, id) > ($2, $3)
       order by next_attempt_at, id limit $4`,
      [by, after.next_attempt_at, after.id, limit],
    );
