import pg from 'pg';

/** The type's number in `pg_type`. */
const timestamptz = 1184;

/** For the `types` of a statement: reads times as ISO 8601 strings in UTC, the form that events and replies have them in. */
export const isoTimes = new pg.TypeOverrides();
// Postgres writes `2026-01-02 03:04:05.678+00`, which the engine reads as the instant it is.
isoTimes.setTypeParser(timestamptz, (text) => new Date(text).toISOString());
