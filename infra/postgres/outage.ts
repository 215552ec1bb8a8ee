import pg from 'pg';

/**
 * SQLSTATE: class 08 (connection), 57P01 to 57P03 (shutting down, crashed, starting), 53300 (too many connections), 57014 (too
 * slow).
 */
const away = /^(08...|57P0[123]|53300|57014)$/;

/** Error codes of the operating system for a missing or broken connection. */
const broken = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
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

/**
 * SQLSTATE: 42703 (no such column), 42P01 (no such table). The table of a read model has another version than this
 * process's code, until the projector has built the new table and the deployment has replaced the old processes.
 */
export const isOfOtherVersion = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '42703' || error.code === '42P01');

/** 0A000: the connection prepared the statement for a table with other columns. It succeeds on another connection. */
export const isPlanOutdated = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '0A000' && error.message.startsWith('cached plan');
