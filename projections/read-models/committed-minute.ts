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
 * How long after an event's `created` it counts as committed, in milliseconds: a store sets that time before the event is on
 * disk, or on a majority of its nodes.
 */
const settlingMs = 1000;

/** The first full minute, in Unix milliseconds, by which an event was certainly committed. */
export const minuteOf = ({ created }: Pick<RecordedEvent, 'created'>): number =>
  Math.ceil((created.getTime() + settlingMs) / minuteMs) * minuteMs;

/**
 * The commit minute of each event of the log, in order, in Unix milliseconds: a time in the past includes exactly the events of
 * minutes up to it. Minutes never decrease, even if a clock is set back. `latest`: the minute of the event before the first one.
 */
export function minutesOfLog(latest = -Infinity): (event: Pick<RecordedEvent, 'created'>) => number {
  let last = latest;
  return (event) => (last = Math.max(last, minuteOf(event)));
}

/**
 * For each minute with commits, the last position committed by its end, `minute`. Derived from the store's times, so that a
 * rebuilt table is the same.
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
