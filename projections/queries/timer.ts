import type { DueTimer } from '../../domain/kit/timer.ts';
import type { Queryable } from './tables.ts';

const timers = 'select id, kind, subject_id, account_id, due_at from read_model.timers';

/** Undefined when it took effect, or its event has not been projected yet. */
export async function timerById(pool: Queryable, id: string): Promise<DueTimer | undefined> {
  const { rows } = await pool.query<DueTimer>(`${timers} where id = $1`, [id]);
  return rows[0];
}

/** Those due by then, the longest due first. */
export async function timersDue(pool: Queryable, by: Date, limit: number): Promise<readonly DueTimer[]> {
  const text = `${timers} where due_at <= $1 order by due_at limit $2`;
  return (await pool.query<DueTimer>(text, [by, limit])).rows;
}

export const dueTimersIn = (pool: Queryable) => ({
  byId: (id: string) => timerById(pool, id),
  due: (by: Date, limit: number) => timersDue(pool, by, limit),
});
