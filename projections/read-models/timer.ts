import type pg from 'pg';
import { categoriesWith, timerTypes } from '../../contracts/events/index.ts';
import { toId, type AccountId, type IdKind } from '../../contracts/ids.ts';
import { timersIn } from '../../domain/kit/timer.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import type { Fold, Projection } from '../engine/projection.ts';
import { column, writeRows, type Positioned, type RowOf, type Schema, type Table } from '../engine/table.ts';

const columns = {
  /** `<kind>-<subject id>`: a subject has one timer of a kind; setting it again replaces it. */
  id: column.text,
  kind: column.text,
  subject_id: column.text,
  account_id: column.text,
  due_at: column.time,
  /** Id of the event that set it. */
  event_id: column.text,
  correlation_id: column.text,
  traceparent: column.optionalText,
};
export type TimerRow = RowOf<typeof columns>;

const table: Table<typeof columns> = {
  name: 'timers',
  columns,
  key: ['id'],
  indexes: ['(due_at)', '(subject_id)'],
  handlers: 3,
};

/** The rows that an event starts, and the ids of those it ends. Undefined if it concerns no timer. */
export function timerRowsOf(event: RecordedEvent) {
  const change = timerTypes[event.type]?.(event.data, event.id);
  if (change === undefined) return undefined;
  const { subject, ends = [] } = change;
  const { correlation_id, traceparent = null } = event.metadata;
  const rows = timersIn(change).map(({ id, kind, dueAt }): TimerRow => {
    return {
      ...{ id, kind, subject_id: subject, account_id: accountOf(event), due_at: dueAt },
      ...{ event_id: event.id, correlation_id, traceparent },
    };
  });
  return { rows, ended: ends.map((kind) => `${kind}-${subject}`) };
}

function accountOf(event: RecordedEvent): AccountId {
  const account = ownerOf(event);
  if (account === undefined) throw new Error(`${event.type} ${event.id} belongs to no account.`);
  return account;
}

/** Categories with one subject per stream; others have several. */
const subjectOfStream: Readonly<Record<string, IdKind>> = { session: 'session', webhook_endpoint: 'webhook' };

function subjectOf(event: RecordedEvent): string {
  const kind = subjectOfStream[event.category];
  if (kind === undefined) return timerTypes[event.type]?.(event.data, event.id).subject ?? event.stream;
  return toId(kind, event.stream.slice(event.category.length + 1));
}

/** Timers with their due times. One that took effect, or is obsolete, has no row. */
export const timers: Projection = {
  name: 'timers',
  table,
  categories: categoriesWith('timers').map(({ name }) => name),
  types: new Set(Object.keys(timerTypes)),
  rowOf: subjectOf,
  open: (client, schema) => Promise.resolve(foldTimers(client, schema)),
};

function foldTimers(client: pg.ClientBase, schema: Schema): Fold {
  const running = new Map<string, Positioned<TimerRow>>();
  const gone = new Set<string>();
  return {
    apply(event: RecordedEvent) {
      const change = timerRowsOf(event);
      if (change === undefined) return;
      for (const id of change.ended) {
        running.delete(id);
        gone.add(id);
      }
      for (const row of change.rows) {
        gone.delete(row.id);
        running.set(row.id, { row, position: event.position });
      }
    },
    async write() {
      if (gone.size > 0) {
        await client.query(`delete from ${schema}.timers where id = any($1)`, [[...gone]]);
      }
      await writeRows(client, schema, table, 'upsert', [...running.values()]);
    },
  };
}
