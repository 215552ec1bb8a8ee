import pg from 'pg';

/** The oid of `timestamptz`. */
const timestamptz = 1184;

/** For the `types` of a statement: reads times as ISO 8601 strings in UTC, as in events and replies. */
export const isoTimes = new pg.TypeOverrides();
// Postgres writes `2026-01-02 03:04:05.678+00`, which JavaScript parses exactly.
isoTimes.setTypeParser(timestamptz, (text) => new Date(text).toISOString());
