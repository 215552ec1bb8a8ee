import type { DueTimer } from '../../domain/kit/timer.ts';
import { rowsOf, type Queryable } from './tables.ts';

const timers =
  'select id, kind, subject_id, account_id, due_at, event_id, correlation_id, traceparent from read_model.timers';

export const dueTimersIn = (pool: Queryable) => ({
  /** Undefined if it took effect, or is not projected yet. */
  byId: async (id: string): Promise<DueTimer | undefined> =>
    (await rowsOf<DueTimer>(pool, `${timers} where id = $1`, [id]))[0],
  /** Timers due at `by` or earlier, the longest due first, starting behind `after`. */
  due: (by: Date, limit: number, after?: DueTimer): Promise<DueTimer[]> => {
    const page = `${timers} where due_at <= $1 and (due_at, id) > ($3, $4) order by due_at, id limit $2`;
    return rowsOf(pool, page, [by, limit, after?.due_at ?? '-infinity', after?.id ?? '']);
  },
});
