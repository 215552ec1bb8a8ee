import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';

export interface PostgresOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Connections this process may hold; every role has its own small pool. */
  readonly maxConnections?: number;
  /** How long a caller waits for a free connection before it fails. */
  readonly connectTimeoutMs?: number;
  /** Statements that need longer (rebuilds, index builds) lift it for their own transaction. */
  readonly statementTimeoutMs?: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
}

export interface Postgres {
  readonly pool: pg.Pool;
  /** No tables of its own: each part adds the ones it owns with `withTables`. */
  readonly db: Kysely<object>;
  close(): Promise<void>;
}

/**
 * Opens a pool that survives a restart of Postgres. A connection that breaks emits `error` on the pool when idle and on
 * the client when checked out; without a listener on both, either would end the process.
 */
export function connectPostgres({
  url,
  logger,
  maxConnections = 8,
  connectTimeoutMs = 3000,
  statementTimeoutMs = 15_000,
  applicationName = 'service',
}: PostgresOptions): Postgres {
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    application_name: applicationName,
    keepAlive: true,
  });
  const warn = (error: Error) => logger.warn({ err: error }, 'A Postgres connection broke.');
  pool.on('error', warn);
  pool.on('connect', (client) => client.on('error', warn));

  const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) });
  return { pool, db, close: () => db.destroy().then(() => endOnce(pool)) };
}

/** Kysely ends the pool only if it was used; ending one twice is an error. */
const endOnce = (pool: pg.Pool): Promise<void> => (pool.ended ? Promise.resolve() : pool.end());
