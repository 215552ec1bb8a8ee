import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/** Arbitrary constants: holders of the same one exclude each other within a database. */
export const advisoryLocks = { projector: 7_284_002, processes: 7_284_003, deliveries: 7_284_004 } as const;

/**
 * Waits for a lock of the connection, which is released when the connection is closed. Polls every `standbyMs` instead of waiting
 * in Postgres, so that the wait can be aborted at any time; it then resolves without the lock.
 */
export async function takeAdvisoryLock(
  client: pg.ClientBase,
  lock: keyof typeof advisoryLocks,
  standbyMs: number,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      advisoryLocks[lock],
    ]);
    if (rows[0]?.taken) return;
    await delay(standbyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** True if any session of this database holds the lock. */
export async function isAdvisoryLockHeld(
  pool: Pick<pg.Pool, 'query'>,
  lock: keyof typeof advisoryLocks,
): Promise<boolean> {
  const { rows } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = $1
       and database = (select oid from pg_database where datname = current_database())`,
    [advisoryLocks[lock]],
  );
  return rows.length > 0;
}
