import pg from 'pg';
import type { Logger } from 'pino';

export interface PostgresOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Maximum connections of this process; every role has its own small pool. */
  readonly maxConnections?: number;
  /** Statements that need longer (rebuilds, index builds) run in `withoutTimeouts`. 0: no limit. */
  readonly statementTimeoutMs?: number;
  /**
   * Client-side timeout of a statement. The server has its own, so only a silent network exceeds this one. Default: a second more
   * than the server's; 0: no limit.
   */
  readonly answerLimitMs?: number;
  /** Commits do not wait for the disk: a crash may lose the last second's writes. For ephemeral data, never for events. */
  readonly hasty?: boolean;
  /** Postgres refuses every change. */
  readonly readOnly?: boolean;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName?: string;
}

export interface Postgres {
  /** A statement that fails or times out closes its connection. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** How long a caller waits for a free connection before it fails. */
const CONNECT_MS = 3000;
/** Idle time until a keepalive probe; a dead network is noticed some 10 s later. */
const PROBE_AFTER_MS = 10_000;
/** Allowance for the network beyond the server's timeout. */
const NETWORK_MS = 1_000;

/**
 * Settings by which Postgres notices within some 20 s that this host is gone, even while it is sending an answer, when
 * there are no probes. With its defaults that takes two hours, during which no other process gets the locks of this
 * host.
 */
const lostHost = [
  `tcp_keepalives_idle=${PROBE_AFTER_MS / 1000}`,
  'tcp_keepalives_interval=3',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=20000',
];

/**
 * Opens a pool that survives a restart of Postgres. A broken connection emits `error` on the pool when idle and on the client
 * when checked out; without a listener on both, either would end the process.
 */
export function connectPostgres({
  url,
  logger,
  maxConnections = 8,
  statementTimeoutMs = 15_000,
  answerLimitMs = statementTimeoutMs && statementTimeoutMs + NETWORK_MS,
  hasty = false,
  readOnly = false,
  applicationName = 'service',
}: PostgresOptions): Postgres {
  const settings = [
    ...lostHost,
    ...(hasty ? ['synchronous_commit=off'] : []),
    ...(readOnly ? ['default_transaction_read_only=on'] : []),
  ];
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMs,
    query_timeout: answerLimitMs,
    idle_in_transaction_session_timeout: 60_000,
    application_name: applicationName,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    keepAlive: true,
    keepAliveInitialDelayMillis: PROBE_AFTER_MS,
  });
  const warn = (error: Error) => logger.warn({ err: error }, 'A Postgres connection broke.');
  pool.on('error', warn);
  pool.on('connect', (client) => client.on('error', warn));
  return { pool, close: () => pool.end() };
}
