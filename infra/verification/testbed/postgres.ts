import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres, type EmbeddedPostgres } from '../../main/embedded/postgres.ts';
import { newCluster } from './cluster.ts';
import { tempDir } from './temp-dir.ts';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

let running: Promise<EmbeddedPostgres> | undefined;

/** An empty database on the run's one Postgres, which starts on first use. */
export async function freshDatabase(): Promise<TestDatabase> {
  running ??= start();
  const { url: server } = await running;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = name;
  return { url: url.href, drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function start(): Promise<EmbeddedPostgres> {
  const folder = tempDir('postgres');
  const [dataDir, logFile] = [join(folder, 'data'), join(folder, 'log')];
  return startPostgres({ dataDir, logFile, password: await newCluster(dataDir), durable: false });
}

export async function stopPostgres(): Promise<void> {
  const server = await running?.catch(() => undefined);
  running = undefined;
  await server?.stop();
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
