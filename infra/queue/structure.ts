/** Postgres's codes for a missing schema, table, function or type. */
const missing = new Set(['3F000', '42P01', '42883', '42704']);

/** True if a queue on Postgres failed because its tables were dropped; it creates them only when it is opened. */
export const isStructureGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && missing.has(error.code);
