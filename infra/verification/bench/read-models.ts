import { join } from 'node:path';
import type pg from 'pg';
import type { Logger } from 'pino';
import { projectionMigrations } from '../../../projections/index.ts';
import { writeRows, type Columns, type RowOf, type Table } from '../../../projections/engine/table.ts';
import { moveCheckpoint, live, lockCheckpoint } from '../../../projections/engine/checkpoint.ts';
import type { Position } from '../../event-store/client/index.ts';
import { startPostgres } from '../../main/embedded/postgres.ts';
import {
  connectPostgres,
  inTransaction,
  migrate,
  postgresMigrations,
  type Postgres,
} from '../../postgres/index.ts';

export interface ReadModels {
  readonly url: string;
  readonly postgres: Postgres;
  readonly pool: pg.Pool;
  readonly close: () => Promise<void>;
}

/** A durable Postgres of its own, with empty read models. */
export async function startReadModels(directory: string, logger: Logger): Promise<ReadModels> {
  const server = await startPostgres({
    dataDir: join(directory, 'postgres'),
    logFile: join(directory, 'postgres.log'),
    password: 'bench',
  });
  // It is in a process group of its own, so it must be stopped explicitly when the bench is interrupted.
  const kill = () => void process.kill(server.pid, 'SIGKILL');
  process.prependOnceListener('exit', kill);
  const { close, ...models } = await openReadModels(server.url, logger);
  return {
    ...models,
    close: async () => {
      await close();
      process.off('exit', kill);
      await server.stop();
    },
  };
}

/** One more database with empty read models on the same server. */
export async function addReadModels(
  { url, pool }: ReadModels,
  name: string,
  logger: Logger,
): Promise<ReadModels> {
  await pool.query(`create database ${name}`);
  const added = new URL(url);
  added.pathname = name;
  return openReadModels(added.href, logger);
}

async function openReadModels(url: string, logger: Logger): Promise<ReadModels> {
  const postgres = connectPostgres({ url, logger, statementTimeoutMs: 0 });
  await migrate(postgres.pool, [...postgresMigrations, ...projectionMigrations]);
  return { url, postgres, pool: postgres.pool, close: postgres.close };
}

/** Sets the checkpoint of the live read models forwards or back: a rebuild goes up to it. */
export const setCheckpoint = (pool: pg.Pool, position: Position): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query('delete from runtime.checkpoints where name = $1', [live.checkpoint]);
    await lockCheckpoint(client, live);
    await moveCheckpoint(client, live, position);
  });

/** Inserts rows into a live table as if they had always been there. */
export async function insertRows<C extends Columns>(
  pool: pg.Pool,
  table: Table<C>,
  rows: readonly RowOf<C>[],
): Promise<void> {
  const positioned = rows.map((row) => ({ row, position: { commit: 0n, prepare: 0n } }));
  await inTransaction(pool, (client) => writeRows(client, 'read_model', table, 'insert', positioned));
}
