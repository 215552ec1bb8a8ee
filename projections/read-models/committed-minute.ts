import type pg from 'pg';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { allEvents, type Fold, type Projection } from '../engine/projection.ts';
import {
  column,
  runNamed,
  writeRows,
  type Positioned,
  type RowOf,
  type Schema,
  type Table,
} from '../engine/table.ts';

const columns = { minute: column.time };
type MinuteRow = RowOf<typeof columns>;

const table: Table<typeof columns> = {
  name: 'committed_minutes',
  columns,
  key: ['minute'],
  indexes: ['(commit_position, prepare_position)'],
  handlers: 1,
};

const minuteMs = 60_000;

/**
 * How long after an event's `created` it counts as committed, milliseconds: a store sets that time before the event is on the
 * disk, or on a majority of its nodes.
 */
const settlingMs = 1000;

/** The first full minute, in Unix milliseconds, by which an event was certainly committed. */
export const minuteOf = ({ created }: Pick<RecordedEvent, 'created'>): number =>
  Math.ceil((created.getTime() + settlingMs) / minuteMs) * minuteMs;

/**
 * What a time means. For each event of the log, in order, the full minute by which it was committed, unix milliseconds: everything of
 * minutes up to a time is what was there at that time. Minutes never go back with a clock: what was committed after a later time counts as
 * committed by that one. `latest`: the minute of the event before the first one.
 */
export function minutesOfLog(latest = -Infinity): (event: Pick<RecordedEvent, 'created'>) => number {
  let last = latest;
  return (event) => (last = Math.max(last, minuteOf(event)));
}

/**
 * For each minute in which something was committed the last position that was committed by its end, `minute`. It follows from
 * the times that the store has recorded, so that a rebuilt table is the same.
 */
export const committedMinutes: Projection = {
  name: table.name,
  table,
  ...allEvents,
  rowOf: () => 'log',
  open: async (client, schema) => foldMinutes(client, schema, await latestMinute(client, schema)),
};

async function latestMinute(client: pg.ClientBase, schema: Schema): Promise<number> {
  const { rows } = await runNamed<{ latest: string | null }>(
    client,
    `latest-${schema}-${table.name}`,
    `select max(minute) as latest from ${schema}.${table.name}`,
    [],
  );
  return Date.parse(rows[0]?.latest ?? '') || -Infinity;
}

function foldMinutes(client: pg.ClientBase, schema: Schema, before: number): Fold {
  const changed = new Map<number, Positioned<MinuteRow>>();
  const minuteIn = minutesOfLog(before);
  return {
    apply(event: RecordedEvent) {
      const minute = minuteIn(event);
      changed.set(minute, { row: { minute: new Date(minute).toISOString() }, position: event.position });
    },
    write: () => writeRows(client, schema, table, 'upsert', [...changed.values()]),
  };
}
