import pg from 'pg';

/** SQLSTATE: class 08 (connection), 57P01 to 57P03 (shutting down, crashed, starting), 53300 (no connection left), 57014 (too slow). */
const away = /^(08...|57P0[123]|53300|57014)$/;

/** What the operating system says of a connection that is not there, or no more. */
const broken = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** The driver's own errors have no code, only these words. */
const words =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether the error says that Postgres cannot be reached or cannot serve now; anything else is a fault of the statement. */
export function isPostgresOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error instanceof pg.DatabaseError) return away.test(code);
  return broken.has(code) || words.test(error.message);
}
