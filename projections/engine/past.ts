import type { EventStore, Position, RecordedEvent } from '../../infra/event-store/client/types.ts';
import { compare, isAfter } from '../../infra/event-store/client/position.ts';
import type { ReadModel } from './read-model.ts';
import type { Columns, RowOf, Table } from './table.ts';

/** How an event leaves a row. Without one it is not there yet. */
export type RowFold<Row> = (row: Row | undefined, event: RecordedEvent) => Row | undefined;

/** An event, and the row before and after it. */
export interface Step<Row> {
  readonly event: RecordedEvent;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** The fold of a read model, by which the projector makes its rows. */
export const foldOf =
  <C extends Columns>({ on }: ReadModel<C>): RowFold<RowOf<C>> =>
  (row, event) =>
    on[event.type]?.(row, event) ?? row;

/**
 * The events of a resource's streams up to a position, in the order of the log, each with its row. They end before an event that
 * cannot be applied: in the read model it is parked, and all later ones of the row wait behind it.
 */
export async function stepsOf<Row>(
  store: Pick<EventStore, 'readStream'>,
  streams: readonly string[],
  fold: RowFold<Row>,
  upTo?: Position,
): Promise<readonly Step<Row>[]> {
  const read = await Promise.all(streams.map((stream) => eventsOf(store, stream, upTo)));
  const events = read.length === 1 ? (read[0] ?? []) : merged(read);
  const steps: Step<Row>[] = [];
  let before: Row | undefined;
  for (const event of events) {
    let after: Row | undefined;
    try {
      after = fold(before, event);
    } catch {
      break;
    }
    steps.push({ event, before, after });
    before = after;
  }
  return steps;
}

const merged = (read: readonly (readonly RecordedEvent[])[]): RecordedEvent[] =>
  read.flat().sort((one, other) => compare(one.position, other.position));

async function eventsOf(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  upTo: Position | undefined,
): Promise<readonly RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const event of store.readStream(stream)) {
    if (upTo !== undefined && isAfter(event.position, upTo)) break;
    events.push(event);
  }
  return events;
}

/** A folded row as a query gives it, times read by `isoTimes`. */
export function asStored<C extends Columns>({ columns }: Table<C>, row: RowOf<C>): RowOf<C> {
  const values = Object.entries(columns).map(([name, { type }]) => [name, storedValue(type, row[name])]);
  return Object.fromEntries(values) as RowOf<C>;
}

function storedValue(type: Columns[string]['type'], value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === 'timestamptz' && typeof value === 'string') return new Date(value).toISOString();
  return type === 'jsonb' ? (JSON.parse(JSON.stringify(value)) as unknown) : value;
}
