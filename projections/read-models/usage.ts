import type pg from 'pg';
import type { AccountId } from '../../contracts/ids.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import type { Fold, Projection } from '../engine/projection.ts';
import {
  column,
  runNamed,
  textOf,
  writeRows,
  type Positioned,
  type RowOf,
  type Schema,
  type Table,
} from '../engine/table.ts';
import { countSession, type UsageHour } from './usage-fold.ts';

const columns = {
  account_id: textOf<AccountId>(),
  hour: column.time,
  started: column.integer,
  /** Milliseconds. */
  busy: column.bigint,
  peak: column.integer,
  /** Up to when the hour is counted, and the sessions that were running then. */
  counted_to: column.time,
  running: column.integer,
};
export type UsageRow = RowOf<typeof columns>;

const table: Table<typeof columns> = {
  name: 'usage_hours',
  columns,
  key: ['account_id', 'hour'],
  indexes: [],
  handlers: 1,
};

/** What each event does to the number of running sessions. */
const changes: Readonly<Record<string, 1 | -1>> = {
  SessionRequested: 1,
  SessionErrored: -1,
  SessionDestroyed: -1,
};

/** The sessions of each account by the hour: how many began, how long they ran, and how many ran at once. */
export const usageHours: Projection = {
  name: 'usage_hours',
  table,
  categories: ['session'],
  types: new Set(Object.keys(changes)),
  // An hour's row goes on from that of the hour before.
  rowOf: (event) => ownerOf(event) ?? event.stream,
  open: async (client, schema, events) => {
    const accounts = new Set(events.map(ownerOf).filter((id) => id !== undefined));
    return foldUsage(client, schema, await latestHours(client, schema, [...accounts]));
  },
};

function foldUsage(client: pg.ClientBase, schema: Schema, latest: Map<AccountId, UsageHour>): Fold {
  const changed = new Map<string, Positioned<UsageRow>>();
  return {
    apply(event: RecordedEvent) {
      const account = ownerOf(event);
      const change = changes[event.type];
      if (account === undefined || change === undefined) return;
      for (const hour of countSession(latest.get(account), timeOf(event), change)) {
        latest.set(account, hour);
        changed.set(`${account} ${hour.hour}`, { row: toRow(account, hour), position: event.position });
      }
    },
    write: () => writeRows(client, schema, table, 'upsert', [...changed.values()]),
  };
}

/** Throws for an event that does not say when it happened, which no writer of ours appends. */
function timeOf({ type, data }: RecordedEvent): number {
  const at = typeof data === 'object' && data !== null && 'at' in data ? Date.parse(String(data.at)) : NaN;
  if (Number.isNaN(at)) throw new Error(`${type} does not say when it happened.`);
  return at;
}

const toRow = (account_id: AccountId, hour: UsageHour): UsageRow => ({
  account_id,
  hour: new Date(hour.hour).toISOString(),
  started: hour.started,
  busy: String(hour.busyMs),
  peak: hour.peak,
  counted_to: new Date(hour.countedTo).toISOString(),
  running: hour.running,
});

/** An hour from its row, where times are ISO 8601. */
export const hourOfRow = (row: Omit<UsageRow, 'account_id'>): UsageHour => ({
  hour: Date.parse(row.hour),
  started: row.started,
  busyMs: Number(row.busy),
  peak: row.peak,
  countedTo: Date.parse(row.counted_to),
  running: row.running,
});

async function latestHours(
  client: pg.ClientBase,
  schema: Schema,
  accounts: readonly AccountId[],
): Promise<Map<AccountId, UsageHour>> {
  const { rows } = await runNamed<UsageRow>(
    client,
    `latest-${schema}-usage`,
    `select latest.account_id, latest.hour, latest.started, latest.busy, latest.peak, latest.counted_to, latest.running
     from unnest($1::text[]) as wanted (account_id),
       lateral (
         select * from ${schema}.usage_hours as hours
         where hours.account_id = wanted.account_id order by hour desc limit 1
       ) as latest`,
    [accounts],
  );
  return new Map(rows.map((row) => [row.account_id, hourOfRow(row)]));
}
