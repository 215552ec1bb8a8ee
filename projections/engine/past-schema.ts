import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { withRebuildConnection } from './rebuild.ts';
import type { PastSchema } from './table.ts';

const named = '^as_of_[0-9a-f]{12}$';
/** An advisory lock of the connection: released when the process ends. */
const tryLock = "select pg_try_advisory_lock(hashtextextended('past ' || $1, 0)) as taken";

/**
 * Runs `work` with a temporary schema, and drops it afterwards, together with those of killed processes. The schema belongs to
 * this process while the connection is open: `lost` is aborted, with the reason, if it breaks.
 */
export const inPastSchema = <T>(
  pool: pg.Pool,
  work: (client: pg.Client, schema: PastSchema, lost: AbortSignal) => Promise<T>,
): Promise<T> =>
  withRebuildConnection(pool, async (client) => {
    const lost = new AbortController();
    client.on('error', ({ message }) =>
      lost.abort(new Error(`The connection to Postgres broke: ${message}`)),
    );
    // Ends a build or a long statement soon after its process.
    await client.query("set client_connection_check_interval = '1s'");
    await dropAbandoned(client);
    const schema: PastSchema = `as_of_${randomBytes(6).toString('hex')}`;
    await client.query(tryLock, [schema]);
    await client.query(`create schema ${schema}`);
    try {
      return await work(client, schema, lost.signal);
    } finally {
      if (!lost.signal.aborted) await drop(client, schema);
    }
  });

/** A running process holds its schema's lock. */
async function dropAbandoned(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ schema: PastSchema }>(
    'select nspname as schema from pg_namespace where nspname ~ $1',
    [named],
  );
  for (const { schema } of rows) {
    const lock = await client.query<{ taken: boolean }>(tryLock, [schema]);
    if (lock.rows[0]?.taken) await drop(client, schema);
  }
}

async function drop(client: pg.ClientBase, schema: PastSchema): Promise<void> {
  await client.query('begin');
  await client.query(`drop schema if exists ${schema} cascade`);
  await client.query('delete from runtime.checkpoints where name = $1', [schema]);
  await client.query('delete from runtime.parked where schema = $1', [schema]);
  await client.query('commit');
}
