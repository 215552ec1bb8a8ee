import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import { oncePer } from '../platform/once-per.ts';

/** Older signs say nothing any more, and are deleted: so many with each statement. */
const forget = `
  delete from ephemeral.signs_of_life where key in (
    select key from ephemeral.signs_of_life
    where seen_at < now() - interval '1 hour' and key <> all ($1) order by key limit 1000 for update skip locked)`;

const upsert = `
  with forgotten as (${forget})
  insert into ephemeral.signs_of_life as known (key, seen_at) select * from unnest($1::text[], $2::timestamptz[])
  on conflict (key) do update set seen_at = greatest(known.seen_at, excluded.seen_at)`;

/** When a process, or a client, was last seen: for leases that are judged by silence. No event, since one comes every few seconds. */
export interface SignsOfLife {
  /** Goes on beside the caller, and never fails it; tried again until it is noted. Signs within a few seconds are one. */
  note(key: string): void;
  /** ISO 8601; null for what was not seen within the last hour. */
  last(key: string): Promise<string | null>;
}

interface Options {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Signs of a key within this are one, milliseconds. */
  readonly everyMs?: number;
  readonly cacheEntries?: number;
}

export function createSignsOfLife({
  pool,
  clock,
  logger,
  everyMs = 3000,
  cacheEntries = 10_000,
}: Options): SignsOfLife {
  const passes = oncePer({ everyMs, clock, cacheEntries });
  const write = writer(pool, logger);
  return {
    note(key) {
      const now = passes(key);
      if (now !== undefined) write(key, now);
    },
    async last(key) {
      const { rows } = await pool.query<{ seen_at: Date }>({
        name: 'last-sign-of-life',
        text: 'select seen_at from ephemeral.signs_of_life where key = $1',
        values: [key],
      });
      return rows[0]?.seen_at.toISOString() ?? null;
    },
  };
}

const retryMs = 100;

/** Signs that come while a statement is under way share the next one. */
function writer(pool: pg.Pool, logger: Logger): (key: string, at: Date) => void {
  let pending = new Map<string, Date>();
  let isWriting = false;
  let isFailing = false;

  const tryWrite = async (signs: Map<string, Date>): Promise<void> => {
    try {
      // Sorted, so that two processes never lock the same rows in opposite orders.
      const rows = [...signs].sort(([a], [b]) => (a < b ? -1 : 1));
      const values = [rows.map(([key]) => key), rows.map(([, at]) => at)];
      await pool.query({ name: 'note-signs-of-life', text: upsert, values });
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ err: error, signs: signs.size }, 'Signs of life are not noted yet.');
      isFailing = true;
      pending = new Map([...signs, ...pending]);
      await delay(retryMs, undefined, { ref: false });
    }
  };

  const writePending = async (): Promise<void> => {
    if (isWriting) return;
    isWriting = true;
    while (pending.size > 0 && !pool.ended) {
      const signs = pending;
      pending = new Map();
      await tryWrite(signs);
    }
    isWriting = false;
  };

  return (key, at) => {
    pending.set(key, at);
    void writePending();
  };
}
