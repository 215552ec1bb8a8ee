import type pg from 'pg';
import type { WebhookPorts } from './ports.ts';

interface CountRow {
  readonly matching: number;
  readonly first_at: Date | null;
  readonly last_at: Date | null;
}

/** Counts in the read model of what an account was told of. */
export const forecastIn =
  (pool: Pick<pg.Pool, 'query'>): WebhookPorts['forecast'] =>
  async (accountId, { since, until, types }) => {
    const { rows } = await pool.query<CountRow>(
      `select count(*)::integer as matching, min(created_at) as first_at, max(created_at) as last_at
       from read_model.account_events
       where account_id = $1 and created_at >= $2 and created_at < $3 and type = any($4)`,
      [accountId, since, until, types],
    );
    const [row] = rows;
    return {
      matching: row?.matching ?? 0,
      firstAt: row?.first_at?.toISOString() ?? null,
      lastAt: row?.last_at?.toISOString() ?? null,
    };
  };
