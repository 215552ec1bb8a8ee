import { oncePer } from '../platform/once-per.ts';
import { createRecorder, type RecorderPorts } from './recorder.ts';

/** Older signs say nothing any more, and are deleted: so many with each statement. */
const forget = `
  delete from ephemeral.signs_of_life where key in (
    select key from ephemeral.signs_of_life
    where seen_at < now() - interval '2 hours' and key <> all ($1) order by key limit 1000 for update skip locked)`;

const upsert = `
  with forgotten as (${forget})
  insert into ephemeral.signs_of_life as known (key, seen_at) select * from unnest($1::text[], $2::timestamptz[])
  on conflict (key) do update set seen_at = greatest(known.seen_at, excluded.seen_at)`;

/** When a process, or a client, was last seen: for leases that are judged by silence. No event, since one comes every few seconds. */
export interface Heartbeats {
  /** Runs in the background and never fails the caller; retried until it is recorded. Signs within `everyMs` are one. */
  record(key: string): void;
  /** ISO 8601; null for what was not seen within the last two hours. */
  last(key: string): Promise<string | null>;
}

interface Options extends RecorderPorts {
  /** Signs of a key within this are one, milliseconds. */
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
