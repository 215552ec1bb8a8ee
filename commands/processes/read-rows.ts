import type pg from 'pg';
import type { AccountId, NodeId, SessionId } from '../../contracts/ids.ts';
import type { RunningSession } from './node-watch.ts';

export type TimerKind = 'slot_lease' | 'creation_lease' | 'duration_cap';

/** A row of the read model of due times. */
export interface TimerRow {
  readonly id: string;
  readonly kind: TimerKind;
  readonly subject_id: SessionId;
  readonly account_id: AccountId;
}

export interface DueTimers {
  /** Undefined when it took effect, or its event has not been projected yet. */
  byId(id: string): Promise<TimerRow | undefined>;
  /** Those due by then, the longest due first. */
  due(by: Date, limit: number): Promise<readonly TimerRow[]>;
}

type Queryable = Pick<pg.Pool, 'query'>;

const timerColumns = 'select id, kind, subject_id, account_id from read_model.timers';

export const dueTimersIn = (pool: Queryable): DueTimers => ({
  byId: async (id) => (await pool.query<TimerRow>(`${timerColumns} where id = $1`, [id])).rows[0],
  due: async (by, limit) => {
    const text = `${timerColumns} where due_at <= $1 order by due_at limit $2`;
    return (await pool.query<TimerRow>(text, [by, limit])).rows;
  },
});

/** The sessions whose browsers should be there. */
export type RunningSessions = () => Promise<readonly RunningSession[]>;

export const runningSessionsIn =
  (pool: Queryable): RunningSessions =>
  async () => {
    const { rows } = await pool.query<{ id: SessionId; node_id: NodeId }>(
      `select id, node_id from read_model.sessions where status in ('ready', 'busy') and node_id is not null`,
    );
    return rows.map(({ id, node_id }) => ({ id, nodeId: node_id }));
  };
