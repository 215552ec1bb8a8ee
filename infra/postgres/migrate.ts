import type pg from 'pg';
import { inTransaction } from './transaction.ts';

/** One step of a part's schema. Applied once, in the order given; an applied step is never edited. */
export interface Migration {
  readonly id: string;
  readonly sql: string;
}

/** An arbitrary constant, the same in all migrating processes. */
const lockKey = 7_284_001;

/**
 * Applies missing migrations, in one transaction, and returns their ids. Concurrent processes wait for each other. Idempotent.
 */
export const migrate = (pool: pg.Pool, migrations: readonly Migration[]): Promise<string[]> =>
  inTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0');
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    await client.query('create schema if not exists runtime');
    await client.query(
      'create table if not exists runtime.migrations (id text primary key, applied_at timestamptz not null default now())',
    );
    const known = await client.query<{ id: string }>('select id from runtime.migrations');
    const applied = new Set(known.rows.map((row) => row.id));
    const missing = migrations.filter((each) => !applied.has(each.id));
    for (const { id, sql } of missing) {
      await client.query(sql);
      await client.query('insert into runtime.migrations (id) values ($1)', [id]);
    }
    return missing.map((each) => each.id);
  });
