import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type pg from 'pg';
import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';

/** The populated database of a release: its log and its tables. */
export interface Release {
  readonly log: readonly LoggedEvent[];
  /** DDL of its tables. */
  readonly schema: string;
  /** Rows by table. */
  readonly tables: Readonly<Record<string, readonly Row[]>>;
}

type LoggedEvent = Pick<RecordedEvent, 'id' | 'stream' | 'type' | 'data' | 'metadata'> & {
  readonly position: number;
};
interface Row {
  readonly commit_position?: number;
  readonly [column: string]: unknown;
}

const folder = (version: string) => new URL(`./releases/${version}/`, import.meta.url);

export async function writeRelease(
  version: string,
  { store, pool, schema }: { readonly store: EventStore; readonly pool: pg.Pool; readonly schema: string },
): Promise<void> {
  const log: string[] = [];
  for await (const { id, stream, type, data, metadata, position } of store.readAll()) {
    log.push(JSON.stringify({ position: Number(position.commit), stream, id, type, data, metadata }));
  }
  const { rows: names } = await pool.query<{ name: string }>(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_schema in ('read_model', 'runtime') order by 1`,
  );
  const tables: string[] = [];
  for (const { name } of names) {
    const { rows } = await pool.query<{ row: string }>(`select to_jsonb(t)::text as row from ${name} as t`);
    tables.push(`${JSON.stringify(name)}: [\n${rows.map(({ row }) => row).join(',\n')}\n]`);
  }
  mkdirSync(folder(version), { recursive: true });
  writeFileSync(new URL('log.jsonl', folder(version)), `${log.join('\n')}\n`);
  writeFileSync(new URL('schema.sql', folder(version)), schema);
  writeFileSync(new URL('tables.json', folder(version)), `{\n${tables.join(',\n')}\n}\n`);
}

export function readRelease(version: string): Release {
  const read = (name: string) => readFileSync(new URL(name, folder(version)), 'utf8');
  const lines = read('log.jsonl').trimEnd().split('\n');
  return {
    log: lines.map((line) => JSON.parse(line) as LoggedEvent),
    schema: read('schema.sql'),
    tables: JSON.parse(read('tables.json')) as Release['tables'],
  };
}

/**
 * Restores the release in an empty store and an empty database. A log that is written again has other positions: each position in
 * the tables is mapped to its event's new one.
 */
export async function restore(
  { log, schema, tables }: Release,
  { store, pool }: { readonly store: EventStore; readonly pool: pg.Pool },
): Promise<void> {
  const positions = new Map<number, Position>();
  for (const { position, stream, ...event } of log) {
    positions.set(position, (await store.append(stream, 'any', [event])).position);
  }
  const moved = (row: Row): Row => {
    const position = row.commit_position === undefined ? undefined : positions.get(row.commit_position);
    if (position === undefined) return row;
    return {
      ...row,
      commit_position: Number(position.commit),
      prepare_position: Number(position.prepare),
    };
  };
  await pool.query(schema);
  for (const [name, rows] of Object.entries(tables)) {
    await pool.query(`insert into ${name} select * from jsonb_populate_recordset(null::${name}, $1)`, [
      JSON.stringify(rows.map(moved)),
    ]);
  }
}
