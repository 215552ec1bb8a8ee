import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Logger } from '../logging/index.ts';

/** Names of the keys that a process was started with, in their order, by variable. */
export type HeldKeys = Readonly<Record<string, readonly string[]>>;

export interface KeyHolder {
  /** Such as `write-api`. */
  readonly process: string;
  readonly keys: HeldKeys;
}

/** Interval of a process's heartbeats, in ms. */
const everyMs = 10_000;
/** Seconds since its last heartbeat during which a process counts as running. */
const livesSeconds = 30;

/**
 * Publishes this process's keys while it runs: a key that one process lacks must not be used by another. Rows of killed processes
 * are deleted after a day.
 */
export async function holdKeys({ pool, logger, process, keys }: KeyHolder & { pool: Pool; logger: Logger }) {
  const holder = randomUUID();
  const say = () =>
    pool.query(
      `with gone as (delete from ephemeral.key_holders where seen_at < now() - interval '1 day' and holder <> $1)
       insert into ephemeral.key_holders (holder, process, keys) values ($1, $2, $3)
       on conflict (holder) do update set seen_at = now()`,
      [holder, process, keys],
    );
  await say();
  const timer = setInterval(() => {
    say().catch((error: unknown) =>
      logger.warn({ err: error }, 'The keys that this process holds were not recorded.'),
    );
  }, everyMs);
  timer.unref();
  return {
    close: async (): Promise<void> => {
      clearInterval(timer);
      await pool.query('delete from ephemeral.key_holders where holder = $1', [holder]);
    },
  };
}

/** The running processes. */
export async function keyHolders(pool: Pool): Promise<readonly KeyHolder[]> {
  const { rows } = await pool.query<KeyHolder>(
    `select process, keys from ephemeral.key_holders
     where seen_at > now() - $1 * interval '1 second' order by process`,
    [livesSeconds],
  );
  return rows;
}
