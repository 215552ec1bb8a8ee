import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, type Migration } from '../../postgres/index.ts';
import { startPostgres, type EmbeddedPostgres } from '../../main/embedded/postgres.ts';
import { newCluster } from './cluster.ts';
import { tempDir } from './temp-dir.ts';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

let running: Promise<EmbeddedPostgres> | undefined;

/** Databases of the run's Postgres with nothing but migrations, by the ids of these. */
const templates = new Map<string, Promise<string>>();

/**
 * A database on the run's one Postgres, which starts on first use. It has these migrations and is otherwise empty: a copy of one to which
 * they were applied, because that takes a fifth of the processor time of applying them again.
 */
export async function freshDatabase(migrations: readonly Migration[] = []): Promise<TestDatabase> {
  running ??= start();
  const { url: server } = await running;
  const name = newName();
  const template = migrations.length > 0 ? `TEMPLATE ${await templateOf(server, migrations)}` : '';
  await administer(server, `CREATE DATABASE ${name} ${template}`);
  return {
    url: urlOf(server, name),
    drop: () => administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

const newName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = name;
  return url.href;
}

function templateOf(server: string, migrations: readonly Migration[]): Promise<string> {
  const ids = migrations.map(({ id }) => id).join();
  const template = templates.get(ids) ?? makeTemplate(server, migrations);
  templates.set(ids, template);
  return template;
}

async function makeTemplate(server: string, migrations: readonly Migration[]): Promise<string> {
  const name = newName();
  await administer(server, `CREATE DATABASE ${name}`);
  const pool = new pg.Pool({ connectionString: urlOf(server, name), max: 1 });
  await migrate(pool, migrations);
  // A database with connections cannot be copied.
  await pool.end();
  return name;
}

async function start(): Promise<EmbeddedPostgres> {
  const folder = tempDir('postgres');
  const [dataDir, logFile] = [join(folder, 'data'), join(folder, 'log')];
  return startPostgres({ dataDir, logFile, password: await newCluster(dataDir), durable: false });
}

export async function stopPostgres(): Promise<void> {
  const server = await running?.catch(() => undefined);
  running = undefined;
  templates.clear();
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
