import type pg from 'pg';
import type { AccountId, MailId, NodeId, SessionId, WebhookId } from '../../contracts/ids.ts';
import type { DueAttempt } from '../../domain/mail.ts';
import type { RunningSession } from './node/node-watch.ts';

/** What a timer of each kind is for. */
interface Subjects {
  slot_lease: SessionId;
  creation_lease: SessionId;
  duration_cap: SessionId;
  webhook_secret_age: WebhookId;
  webhook_grace_notice: WebhookId;
}
export type TimerKind = keyof Subjects;

/** A row of the read model of due times. */
export type TimerRow<Kind extends TimerKind = TimerKind> = {
  [Each in Kind]: {
    readonly id: string;
    readonly kind: Each;
    readonly subject_id: Subjects[Each];
    readonly account_id: AccountId;
    readonly due_at: Date;
  };
}[Kind];

export interface DueTimers {
  /** Undefined when it took effect, or its event has not been projected yet. */
  byId(id: string): Promise<TimerRow | undefined>;
  /** Those due by then, the longest due first. */
  due(by: Date, limit: number): Promise<readonly TimerRow[]>;
}

type Queryable = Pick<pg.Pool, 'query'>;

const timerColumns = 'select id, kind, subject_id, account_id, due_at from read_model.timers';

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

/** The attempts to send a mail that are due by then, the longest due first. */
export type DueMails = (by: Date, limit: number) => Promise<readonly DueAttempt[]>;

export const dueMailsIn =
  (pool: Queryable): DueMails =>
  async (by, limit) => {
    const { rows } = await pool.query<{ id: MailId; attempt_count: number; next_attempt_at: Date }>(
      `select id, attempt_count, next_attempt_at from read_model.mails
       where status = 'queued' and next_attempt_at <= $1 order by next_attempt_at limit $2`,
      [by, limit],
    );
    return rows.map(({ id, attempt_count, next_attempt_at }) => ({
      mailId: id,
      attempt: attempt_count + 1,
      dueAt: next_attempt_at.toISOString(),
    }));
  };
