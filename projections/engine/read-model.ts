import type pg from 'pg';
import type { Category } from '../../contracts/events/catalogue.ts';
import { toId, type IdKind } from '../../contracts/ids.ts';
import type { Static } from '../../contracts/schema.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Fold, Projection } from './projection.ts';
import {
  runNamed,
  writeRows,
  type Columns,
  type Positioned,
  type RowOf,
  type Schema,
  type Table,
} from './table.ts';

/** An event of the log, of one type of a category. */
export type Recorded<K extends Category, T extends keyof K['types']> = RecordedEvent & {
  readonly data: Static<K['types'][T]>;
};

interface Definition<C extends Columns, K extends Category> extends Pick<
  Projection,
  'concernsOthers' | 'completePast'
> {
  /** The folded stream category: one row per stream, unless `id` differs. */
  readonly of: K;
  /** The kind of the row's `id`, whose uuid is the stream's; or a function that returns the row's `id` of an event. */
  readonly id: IdKind | ((event: Recorded<K, keyof K['types']>) => string);
  readonly columns: C;
  readonly indexes?: readonly string[];
  /** Version of the handlers: raised when they write other values into the same columns. */
  readonly handlers: number | string;
  /** Events that create a row; nothing is read from the table. */
  readonly creates: { readonly [T in keyof K['types']]?: (event: Recorded<K, T>) => RowOf<C> };
  /** Events that change an existing row: the changed columns. */
  readonly changes?: {
    readonly [T in keyof K['types']]?: (event: Recorded<K, T>, row: RowOf<C>) => Partial<RowOf<C>>;
  };
  /** Events that create or change a row, in either order. */
  readonly folds?: {
    readonly [T in keyof K['types']]?: (event: Recorded<K, T>, row: RowOf<C> | undefined) => RowOf<C>;
  };
}

type Handler<Row> = (row: Row | undefined, event: RecordedEvent) => Row;

/** A read model whose rows are folds: `key` and `on` are the whole rule. */
export interface ReadModel<C extends Columns, Name extends string = string> extends Projection {
  readonly name: Name;
  readonly table: Table<C>;
  readonly key: (event: RecordedEvent) => string;
  readonly on: Readonly<Record<string, Handler<RowOf<C>>>>;
}

/** Defines a read model: a table with the primary key `id`, and the fold that makes its rows. */
export function readModel<const Name extends string, C extends Columns, K extends Category>(
  name: Name,
  definition: Definition<C, K>,
): ReadModel<C, Name>;
// Appended events were validated against their schemas; invalid ones (not JSON, a foreign writer) make the handler or
// Postgres fail, and are parked.
export function readModel<C extends Columns>(
  name: string,
  definition: Definition<C, Category>,
): ReadModel<C> {
  const { of, id, columns, indexes = [], handlers, creates, changes = {}, folds = {}, ...past } = definition;
  const table: Table<C> = { name, columns, key: ['id'], indexes, handlers };
  const key =
    typeof id === 'function'
      ? id
      : (event: RecordedEvent) => toId(id, event.stream.slice(of.name.length + 1));
  const on: Record<string, Handler<RowOf<C>>> = {};
  for (const [type, create] of Object.entries(creates)) {
    if (create !== undefined) on[type] = (_row, event) => create(event);
  }
  for (const [type, change] of Object.entries(changes)) {
    if (change === undefined) continue;
    on[type] = (row, event) => {
      if (row === undefined) throw new Error(`${event.type} changes a row that is not there`);
      return { ...row, ...change(event, row) };
    };
  }
  for (const [type, fold] of Object.entries(folds)) {
    if (fold !== undefined) on[type] = (row, event) => fold(event, row);
  }
  return {
    ...past,
    name,
    table,
    categories: [of.name],
    types: new Set(Object.keys(on)),
    key,
    on,
    rowOf: key,
    open: async (client, schema, events) => {
      const rows = await load(client, schema, table, keysToLoad(events, key, creates));
      return foldRows(rows, key, on, (changed) => writeRows(client, schema, table, 'upsert', changed));
    },
  };
}

/** The keys whose first event in the batch needs the stored row. */
function keysToLoad(
  events: readonly RecordedEvent[],
  key: (event: RecordedEvent) => string,
  creates: Readonly<Record<string, unknown>>,
): string[] {
  const seen = new Set<string>();
  const wanted: string[] = [];
  for (const event of events) {
    const id = key(event);
    if (seen.has(id)) continue;
    seen.add(id);
    if (!(event.type in creates)) wanted.push(id);
  }
  return wanted;
}

function foldRows<Row>(
  rows: Map<string, Row>,
  key: (event: RecordedEvent) => string,
  on: Readonly<Record<string, Handler<Row>>>,
  write: (changed: readonly Positioned<Row>[]) => Promise<void>,
): Fold {
  const changed = new Map<string, Positioned<Row>>();
  return {
    apply(event) {
      const id = key(event);
      const row = on[event.type]?.(rows.get(id), event);
      if (row === undefined) return;
      rows.set(id, row);
      changed.set(id, { row, position: event.position });
    },
    write: () => write([...changed.values()]),
  };
}

async function load<C extends Columns>(
  client: pg.ClientBase,
  schema: Schema,
  { name, columns }: Table<C>,
  ids: readonly string[],
): Promise<Map<string, RowOf<C>>> {
  if (ids.length === 0) return new Map();
  const text = `select ${Object.keys(columns).join(', ')} from ${schema}.${name} where id = any($1)`;
  const { rows } = await runNamed<RowOf<C> & { id: string }>(client, `load-${schema}-${name}`, text, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}
