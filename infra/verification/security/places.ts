import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import pg from 'pg';
import type { TestStack } from '../testbed/index.ts';

/** Every place where a stack stores data, with its content as latin 1, one after the other. */
export async function* places(
  stack: TestStack,
  postgresUrl: string,
): AsyncGenerator<readonly [string, string]> {
  yield* rows(postgresUrl);
  const { stdout } = await stack.service('events', 'export', '--json');
  yield ['the events', stdout];
  for (const file of readdirSync(stack.dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    yield [relative(stack.dataDir, path), path];
    if (file.isFile()) yield [relative(stack.dataDir, path), readFileSync(path, 'latin1')];
  }
}

/** Every table of every schema. */
async function* rows(postgresUrl: string): AsyncGenerator<readonly [string, string]> {
  const tables = await rowsOf<{ name: string }>(
    postgresUrl,
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  for (const { name } of tables) {
    const all = await rowsOf<{ row: string }>(postgresUrl, `select each::text as row from ${name} as each`);
    yield [name, all.map(({ row }) => row).join('\n')];
  }
}

/** Result of a query on a new connection. */
export async function rowsOf<Row extends object>(postgresUrl: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.end();
  }
}
