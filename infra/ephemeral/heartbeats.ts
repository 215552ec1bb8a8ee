import { oncePer } from '../platform/once-per.ts';
import { createRecorder, type RecorderPorts } from './recorder.ts';

/** Expired heartbeats are deleted, some with each statement. */
const forget = `
  delete from ephemeral.signs_of_life where key in (
    select key from ephemeral.signs_of_life
    where seen_at < now() - interval '2 hours' and key <> all ($1) order by key limit 1000 for update skip locked)`;

const upsert = `
  with forgotten as (${forget})
  insert into ephemeral.signs_of_life as known (key, seen_at) select * from unnest($1::text[], $2::timestamptz[])
  on conflict (key) do update set seen_at = greatest(known.seen_at, excluded.seen_at)`;

/**
 * Last heartbeat of a process or a client, for leases that expire by silence. Not events, because there is one every few seconds.
 */
export interface Heartbeats {
  /** Runs in the background and never fails the caller; retried until it is recorded. At most one per key within `everyMs`. */
  record(key: string): void;
  /** ISO 8601; null without a heartbeat within the last two hours. */
  last(key: string): Promise<string | null>;
}

interface Options extends RecorderPorts {
  /** Minimum interval of recorded heartbeats of a key, in milliseconds. */
  readonly everyMs: number;
}

export function createHeartbeats({ pool, clock, logger, everyMs }: Options): Heartbeats {
  const passes = oncePer({ everyMs, clock });
  const write = createRecorder<Date>({
    ...{ pool, logger, what: 'Heartbeats' },
    statement: { name: 'note-heartbeats', text: upsert },
    parametersOf: (times) => [times],
    isNewer: (at, waiting) => at > waiting,
  });
  return {
    record(key) {
      const now = passes(key);
      if (now !== undefined) void write(key, now);
    },
    async last(key) {
      const { rows } = await pool.query<{ seen_at: Date }>({
        name: 'last-heartbeat',
        text: 'select seen_at from ephemeral.signs_of_life where key = $1',
        values: [key],
      });
      return rows[0]?.seen_at.toISOString() ?? null;
    },
  };
}
