import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Position } from '../../infra/event-store/client/types.ts';
import { isoTimes } from '../../infra/postgres/iso-times.ts';

/**
 * A Postgres type, with its form in a fold (as in events) and in results of queries without `isoTimes`: a time is an ISO 8601
 * string in the former and a `Date` in the latter.
 */
interface Column<Folded, Read = Folded> {
  readonly type: 'text' | 'integer' | 'bigint' | 'boolean' | 'timestamptz' | 'jsonb';
  readonly nullable: boolean;
  /** Types only; never set at run time. */
  readonly forms?: { readonly folded: Folded; readonly read: Read };
}

const required = <Folded, Read = Folded>(type: Column<unknown>['type']): Column<Folded, Read> => ({
  type,
  nullable: false,
});
const optional = <Folded, Read = Folded>(
  type: Column<unknown>['type'],
): Column<Folded | null, Read | null> => ({ type, nullable: true });

export const column = {
  text: required<string>('text'),
  optionalText: optional<string>('text'),
  integer: required<number>('integer'),
  optionalInteger: optional<number>('integer'),
  /** Decimal digits, as returned by the driver: log positions exceed the range of a number. */
  bigint: required<string>('bigint'),
  boolean: required<boolean>('boolean'),
  time: required<string, Date>('timestamptz'),
  optionalTime: optional<string, Date>('timestamptz'),
  json: required<unknown>('jsonb'),
  optionalJson: optional<unknown>('jsonb'),
} as const;

/** A closed set of strings, enforced by the events' schema. */
export const textOf = <T extends string>(): Column<T> => required<T>('text');
export const optionalTextOf = <T extends string>(): Column<T | null> => optional<T>('text');
export const jsonOf = <T>(): Column<T> => required<T>('jsonb');
export const optionalJsonOf = <T>(): Column<T | null> => optional<T>('jsonb');

export type Columns = Readonly<Record<string, Column<unknown>>>;
/** A row in the form of a fold. */
export type RowOf<C extends Columns> = {
  readonly [K in keyof C]: NonNullable<C[K]['forms']>['folded'];
};
/** A row in the form of a query's result. */
export type ReadRowOf<C extends Columns> = {
  readonly [K in keyof C]: NonNullable<C[K]['forms']>['read'];
};

export interface Table<C extends Columns = Columns> {
  readonly name: string;
  readonly columns: C;
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** The text behind the table's name in `create index`. */
  readonly indexes: readonly string[];
  /** Version of the handlers: raised when they write other values into the same columns. */
  readonly handlers: number | string;
  /** True: partitioned by its column `day`; expired days are dropped. */
  readonly byDay?: boolean;
}

/** A row to write, with the position of the last event folded into it. */
export interface Positioned<Row> {
  readonly row: Row;
  readonly position: Position;
}

/** The schema of a past, `as_of_` and 12 hexadecimal digits. */
export type PastSchema = `as_of_${string}`;
/** Copies of a table: served to readers, being built, kept for a rollback, or of a past. */
export type Schema = 'read_model' | 'shadow' | 'previous' | PastSchema;

/**
 * The version of a table: that of its handlers, and a hash of its columns, key and indexes. Stored as the table's comment, so
 * that it moves and is dropped with the table.
 */
export const versionOf = ({ columns, key, indexes, handlers, byDay }: Table): string => {
  const shape = Object.entries(columns).map(([name, { type, nullable }]) => [name, type, nullable]);
  const text = JSON.stringify([shape.sort(), key, [...indexes].sort(), ...(byDay ? ['by day'] : [])]);
  return `${handlers}-${digest(text)}`;
};

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/**
 * Creates the table in the schema or, in `pg_temp`, visible only to this connection. An unlogged one is empty after a crash of
 * Postgres.
 */
export const createTable = (
  table: Table,
  schema: Schema | 'pg_temp',
  kind: 'table' | 'unlogged table' = 'table',
): string => {
  const { name, columns, key, byDay } = table;
  const lines = Object.entries(columns).map(
    ([column, { type, nullable }]) => `${column} ${type}${nullable ? '' : ' not null'}`,
  );
  // Postgres has no unlogged partitioned tables.
  return `create ${byDay ? 'table' : kind} ${schema}.${name} (
    ${lines.join(',\n    ')},
    commit_position bigint not null,
    prepare_position bigint not null,
    primary key (${key.join(', ')})
  )${byDay ? ' partition by list (day)' : ''};
  comment on table ${schema}.${name} is '${versionOf(table)}';`;
};

/** Created separately, because a bulk load is faster without them. */
export const createIndexes = ({ name, indexes }: Table, schema: Schema | 'pg_temp'): string =>
  indexes.map((columns) => `create index on ${schema}.${name} ${columns};`).join('\n');

/** One array parameter per column: the fastest way to send many rows except COPY. */
const unnest = (table: Table, from = 1): string => {
  const types = [...Object.values(table.columns).map(({ type }) => type), 'bigint', 'bigint'];
  return `unnest(${types.map((type, i) => `$${i + from}::${type}[]`).join(', ')})`;
};

const names = (table: Table): string[] => [
  ...Object.keys(table.columns),
  'commit_position',
  'prepare_position',
];

const insertSql = (table: Table, schema: Schema): string =>
  `insert into ${schema}.${table.name} as t (${names(table).join(', ')}) select * from ${unnest(table)}`;

/** The guard ignores repeated events. */
const upsertSql = (table: Table, schema: Schema): string => `${insertSql(table, schema)}
  on conflict (${table.key.join(', ')}) do update set
    ${names(table)
      .filter((name) => !table.key.includes(name))
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}
  where (t.commit_position, t.prepare_position) < (excluded.commit_position, excluded.prepare_position)`;

/**
 * The rows transposed: one array per column, in the order of `insertSql`, in Postgres's text format. The driver would write the
 * same text, but takes four passes over every value.
 */
const columnArrays = <C extends Columns>(
  { columns }: Table<C>,
  rows: readonly Positioned<RowOf<C>>[],
): string[] => [
  ...Object.entries(columns).map(([name, { type }]) =>
    type === 'jsonb'
      ? arrayLiteral(rows, ({ row }) => toJson(row[name]))
      : arrayLiteral(rows, ({ row }) => row[name]),
  ),
  arrayLiteral(rows, ({ position }) => position.commit),
  arrayLiteral(rows, ({ position }) => position.prepare),
];

/** https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO: every text quoted, quotes and backslashes escaped. */
function arrayLiteral<Item>(items: readonly Item[], valueOf: (item: Item) => unknown): string {
  const values = items.map((item) => {
    const value = valueOf(item);
    if (value === null || value === undefined) return 'NULL';
    if (typeof value === 'number' || typeof value === 'bigint') return String(value);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return special.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
  });
  return `{${values.join(',')}}`;
}

const special = /["\\]/;

const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

/** Handling of a conflicting key: an error, keep the stored row, or replace an older one. */
const statements = {
  insert: insertSql,
  'insert missing': (table: Table, schema: Schema) => `${insertSql(table, schema)} on conflict do nothing`,
  upsert: upsertSql,
};

/** Writes all rows in one statement. */
export async function writeRows<C extends Columns>(
  client: pg.ClientBase,
  schema: Schema,
  table: Table<C>,
  how: keyof typeof statements,
  rows: readonly Positioned<RowOf<C>>[],
): Promise<void> {
  if (rows.length === 0) return;
  const name = `${how}-${schema}-${table.name}`;
  await runNamed(client, name, statements[how](table, schema), columnArrays(table, rows));
}

/** Runs a named statement, parsed once per connection, schema and table. Times are read in the form of a fold. */
export const runNamed = <Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  name: string,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult<Row>> => client.query<Row>({ name, text, values, types: isoTimes });
