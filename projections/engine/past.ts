import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { compare, isAfter } from '../../infra/event-store/client/position.ts';
import type { ReadModel } from './read-model.ts';
import type { Columns, RowOf, Table } from './table.ts';

/** The effect of an event on a row; undefined: no row. */
export type RowFold<Row> = (row: Row | undefined, event: RecordedEvent) => Row | undefined;

/** An event, with the row before and after it. */
export interface Step<Row> {
  readonly event: RecordedEvent;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** The fold of a read model, as used by the projector. */
export const foldOf =
  <C extends Columns>({ on }: ReadModel<C>): RowFold<RowOf<C>> =>
  (row, event) =>
    on[event.type]?.(row, event) ?? row;

/** The streams and the fold of a resource's past, and its end. */
export interface ResourcePast<Row> {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly streams: readonly string[];
  readonly fold: RowFold<Row>;
  /** Default: the end of the log. */
  readonly upTo: Position | undefined;
}

/** The row after the events up to a position, without intermediate rows, which would take most of the time for long streams. */
export async function rowAt<Row>(folding: ResourcePast<Row>): Promise<Row | undefined> {
  let row: Row | undefined;
  await folded(folding, (_event, _before, after) => (row = after));
  return row;
}

/** The rows after the events up to an earlier and a later position, and the last event of all; undefined if there is none. */
export async function rowsAround<Row>(folding: ResourcePast<Row>, earlier: Position) {
  let first: Row | undefined;
  let last: Pick<Step<Row>, 'event' | 'after'> | undefined;
  await folded(folding, (event, _before, after) => {
    if (!isAfter(event.position, earlier)) first = after;
    last = { event, after };
  });
  return last && { first, last: last.after, event: last.event };
}

/** The last steps of a fold; `isWhole`: there are no earlier ones. */
export interface Steps<Row> {
  readonly steps: readonly Step<Row>[];
  readonly isWhole: boolean;
}

/** The last `most` events of a resource's streams up to a position, in the order of the log, each with its rows. */
export async function stepsOf<Row>(folding: ResourcePast<Row>, most = Infinity): Promise<Steps<Row>> {
  const steps: Step<Row>[] = [];
  let count = 0;
  await folded(folding, (event, before, after) => {
    count += 1;
    steps.push({ event, before, after });
    if (steps.length >= 2 * most) steps.splice(0, steps.length - most);
  });
  return { steps: steps.length > most ? steps.slice(-most) : steps, isWhole: count <= most };
}

/**
 * Visits the events in the order of the log. Stops at an event that cannot be applied: in the read model it is parked, with all
 * later ones of the row.
 */
async function folded<Row>(
  { store, streams, fold, upTo }: ResourcePast<Row>,
  visit: (event: RecordedEvent, before: Row | undefined, after: Row | undefined) => void,
): Promise<void> {
  let before: Row | undefined;
  const apply = (event: RecordedEvent): boolean => {
    let after: Row | undefined;
    try {
      after = fold(before, event);
    } catch {
      return false;
    }
    visit(event, before, after);
    before = after;
    return true;
  };
  const [only = '', ...others] = streams;
  if (others.length === 0) return eachOf(store, only, upTo, apply);
  for (const event of await merged(store, streams, upTo)) if (!apply(event)) return;
}

async function merged(
  store: Pick<EventStore, 'readStream'>,
  streams: readonly string[],
  upTo: Position | undefined,
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  await Promise.all(streams.map((stream) => eachOf(store, stream, upTo, (event) => events.push(event) > 0)));
  return events.sort((one, other) => compare(one.position, other.position));
}

/** Visits the events of a stream up to a position, while `visit` returns true. */
async function eachOf(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  upTo: Position | undefined,
  visit: (event: RecordedEvent) => boolean,
): Promise<void> {
  for await (const event of store.readStream(stream))
    if ((upTo !== undefined && isAfter(event.position, upTo)) || !visit(event)) return;
}

/** A folded row in the form of a query's result, with times as by `isoTimes`. */
export function asQueried<C extends Columns>({ columns }: Table<C>, row: RowOf<C>): RowOf<C> {
  const values = Object.entries(columns).map(([name, { type }]) => [name, storedValue(type, row[name])]);
  return Object.fromEntries(values) as RowOf<C>;
}

function storedValue(type: Columns[string]['type'], value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'timestamptz' && typeof value === 'string') return new Date(value).toISOString();
  return type === 'jsonb' ? (JSON.parse(JSON.stringify(value)) as unknown) : value;
}
