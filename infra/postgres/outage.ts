import pg from 'pg';

/**
 * SQLSTATE: classes 08 (connection), 53 (no disk space, memory or connection left) and 58 (errors of its system, such as I/O),
 * 57P01 to 57P03 (shutting down, crashed, starting), 57014 (too slow), 25006 (takes no changes: a standby, after a failover).
 */
const away = /^(08...|53...|58...|57P0[123]|57014|25006)$/;

/**
 * Error codes of the operating system for a missing or broken connection, and for a name that does not resolve: that of a container
 * exists only while it runs.
 */
const broken = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The driver's own errors have no code, only these messages. */
const words =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether the error means that Postgres is unavailable; any other is a fault of the statement. */
export function isPostgresOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error instanceof pg.DatabaseError) return away.test(code);
  return broken.has(code) || words.test(error.message);
}

/** SQLSTATE 57014: the statement took longer than it may. */
export const isTooSlow = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014';

/**
 * SQLSTATE: 42703 (no such column), 42P01 (no such table). The table of a read model has another version than this
 * process's code, until the projector has built the new table and the deployment has replaced the old processes.
 */
export const isOfOtherVersion = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '42703' || error.code === '42P01');

/** 0A000: the connection prepared the statement for a table with other columns. It succeeds on another connection. */
export const isPlanOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan');
