import type pg from 'pg';
import { createIndexes, createTable, versionOf, type Schema, type Table } from './table.ts';

/** Versions of the existing tables; null for one of a release that recorded none. */
export async function recordedVersions(
  client: pg.ClientBase | pg.Pool,
  schema: Schema,
): Promise<ReadonlyMap<string, string | null>> {
  const { rows } = await client.query<{ name: string; version: string | null }>(
    `select relname as name, obj_description(oid, 'pg_class') as version from pg_class
     where relnamespace = $1::regnamespace and relkind in ('r', 'p')`,
    [schema],
  );
  return new Map(rows.map(({ name, version }) => [name, version]));
}

/**
 * Whether the live table has this code's version. Handlers were at version 1 when versions began to be recorded, so a table
 * without one is current if it has the same columns and indexes, and then gets its version. Within the caller's transaction.
 */
export async function isCurrent(
  client: pg.ClientBase,
  table: Table,
  recorded: string | null | undefined,
): Promise<boolean> {
  if (recorded !== null) return recorded === versionOf(table);
  if (table.handlers !== 1 || !(await hasSameShape(client, table))) return false;
  await client.query(`comment on table read_model.${table.name} is '${versionOf(table)}'`);
  return true;
}

/** Compares with an empty table created for the purpose, because Postgres renames types and normalises indexes. */
async function hasSameShape(client: pg.ClientBase, table: Table): Promise<boolean> {
  await client.query(`${createTable(table, 'pg_temp')}\n${createIndexes(table, 'pg_temp')}`);
  const [wanted, found] = [
    await shapeOf(client, `pg_temp.${table.name}`),
    await shapeOf(client, `read_model.${table.name}`),
  ];
  await client.query(`drop table pg_temp.${table.name}`);
  return wanted === found;
}

async function shapeOf(client: pg.ClientBase, table: string): Promise<string> {
  const { rows } = await client.query<{ line: string }>(
    `select concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull) as line
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped
     union all
     select concat_ws(' ', indisunique, substring(pg_get_indexdef(indexrelid) from ' USING .*'))
     from pg_index where indrelid = $1::regclass
     order by line`,
    [table],
  );
  return rows.map(({ line }) => line).join('\n');
}
