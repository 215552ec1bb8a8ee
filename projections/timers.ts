import type pg from 'pg';
import { accountSlotsEvents } from '../contracts/events/account-slots.ts';
import { sessionEvents } from '../contracts/events/session.ts';
import { toId } from '../contracts/ids.ts';
import type { RecordedEvent } from '../infra/event-store/types.ts';
import { handlersOf, type Handlers } from './handlers.ts';
import type { Fold, Projection } from './projection.ts';
import {
  column,
  columnArrays,
  runNamed,
  upsertSql,
  type Positioned,
  type RowOf,
  type Schema,
  type Table,
} from './table.ts';

export type TimerKind = 'slot_lease' | 'creation_lease' | 'duration_cap';

const columns = {
  /** `<kind>-<subject id>` */
  id: column.text,
  kind: column.text,
  subject_id: column.text,
  account_id: column.text,
  due_at: column.time,
};
export type TimerRow = RowOf<typeof columns>;

const table: Table<typeof columns> = {
  name: 'timers',
  columns,
  key: ['id'],
  indexes: ['(due_at)', '(subject_id)'],
};

interface Effects {
  readonly subject: string;
  readonly starts: readonly TimerRow[];
  readonly ends: readonly TimerKind[];
}

const timer = (kind: TimerKind, subject_id: string, account_id: string, due_at: string): TimerRow => ({
  id: `${kind}-${subject_id}`,
  kind,
  subject_id,
  account_id,
  due_at,
});
const ended =
  (...ends: TimerKind[]) =>
  ({ data }: { readonly data: { readonly sessionId: string } }): Effects => ({
    subject: data.sessionId,
    starts: [],
    ends,
  });

/** Which timers an event starts, and which it makes moot. */
export const timerEffects: Handlers<Effects> = {
  ...handlersOf(accountSlotsEvents, {
    SlotReserved: ({ data: { sessionId, accountId, leaseExpiresAt } }) => ({
      subject: sessionId,
      starts: [timer('slot_lease', sessionId, accountId, leaseExpiresAt)],
      ends: [],
    }),
    SlotReleased: ended('slot_lease'),
  }),
  ...handlersOf(sessionEvents, {
    SessionRequested: ({ data: { sessionId, accountId, leaseExpiresAt, expiresAt } }) => ({
      subject: sessionId,
      starts: [
        timer('creation_lease', sessionId, accountId, leaseExpiresAt),
        ...(expiresAt === null ? [] : [timer('duration_cap', sessionId, accountId, expiresAt)]),
      ],
      ends: ['slot_lease'],
    }),
    SessionReady: ended('creation_lease'),
    SessionErrored: ended('creation_lease', 'duration_cap'),
    SessionDestroyed: ended('creation_lease', 'duration_cap'),
  }),
};

/** What is due, and when. A timer that took effect, or cannot any more, has no row. */
export const timers: Projection = {
  name: 'timers',
  table,
  categories: [accountSlotsEvents.name, sessionEvents.name],
  types: new Set(Object.keys(timerEffects)),
  rowOf: (event) =>
    event.category === sessionEvents.name
      ? toId('session', event.stream.slice(sessionEvents.name.length + 1))
      : (timerEffects[event.type]?.(event).subject ?? event.stream),
  open: (client, schema) => Promise.resolve(foldTimers(client, schema)),
};

function foldTimers(client: pg.ClientBase, schema: Schema): Fold {
  const running = new Map<string, Positioned<TimerRow>>();
  const gone = new Set<string>();
  return {
    apply(event: RecordedEvent) {
      const effects = timerEffects[event.type]?.(event);
      if (effects === undefined) return;
      for (const kind of effects.ends) {
        const id = `${kind}-${effects.subject}`;
        running.delete(id);
        gone.add(id);
      }
      for (const row of effects.starts) {
        gone.delete(row.id);
        running.set(row.id, { row, position: event.position });
      }
    },
    async write() {
      if (gone.size > 0) {
        await client.query(`delete from ${schema}.timers where id = any($1)`, [[...gone]]);
      }
      if (running.size === 0) return;
      const arrays = columnArrays(table, [...running.values()]);
      await runNamed(client, `upsert-${schema}-timers`, upsertSql(table, schema), arrays);
    },
  };
}
