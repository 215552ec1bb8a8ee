import type pg from 'pg';
import { accountSlotsEvents } from '../../contracts/events/account-slots.ts';
import { sessionEvents } from '../../contracts/events/session.ts';
import { webhookEndpointEvents } from '../../contracts/events/webhook-endpoint.ts';
import { toId, type AccountId, type IdKind } from '../../contracts/ids.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { handlersOf, type Handlers } from '../engine/handlers.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import type { Fold, Projection } from '../engine/projection.ts';
import {
  column,
  columnArrays,
  runNamed,
  upsertSql,
  type Positioned,
  type RowOf,
  type Schema,
  type Table,
} from '../engine/table.ts';

export type TimerKind =
  'slot_lease' | 'creation_lease' | 'duration_cap' | 'webhook_secret_age' | 'webhook_grace_notice';

const columns = {
  /** `<kind>-<subject id>`: a subject has one timer of a kind, and one that is set again replaces it. */
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

/** What an event does to the timers of its subject. */
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
type OfSubject = { readonly sessionId: string } | { readonly webhookId: string };
const ended =
  (...ends: TimerKind[]) =>
  ({ data }: { readonly data: OfSubject }): Effects => ({
    subject: 'sessionId' in data ? data.sessionId : data.webhookId,
    starts: [],
    ends,
  });

function accountOf(event: RecordedEvent): AccountId {
  const account = ownerOf(event);
  if (account === undefined) throw new Error(`${event.type} ${event.id} belongs to no account.`);
  return account;
}

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
  ...handlersOf(webhookEndpointEvents, {
    WebhookRegistered: ({ data: { webhookId, accountId, secret } }) => ({
      subject: webhookId,
      starts: [timer('webhook_secret_age', webhookId, accountId, secret.remindAt)],
      ends: [],
    }),
    WebhookSecretRotated: (event) => {
      const { webhookId, secret, graceNoticeAt } = event.data;
      const accountId = accountOf(event);
      return {
        subject: webhookId,
        starts: [
          timer('webhook_secret_age', webhookId, accountId, secret.remindAt),
          timer('webhook_grace_notice', webhookId, accountId, graceNoticeAt),
        ],
        ends: [],
      };
    },
    WebhookSecretAged: ended('webhook_secret_age'),
    WebhookGraceEnding: ended('webhook_grace_notice'),
    WebhookDisabled: ended('webhook_secret_age', 'webhook_grace_notice'),
    WebhookDeleted: ended('webhook_secret_age', 'webhook_grace_notice'),
  }),
};

/** Streams that are one subject each; those of other categories have several. */
const subjectOfStream: Readonly<Record<string, IdKind>> = {
  [sessionEvents.name]: 'session',
  [webhookEndpointEvents.name]: 'webhook',
};

function subjectOf(event: RecordedEvent): string {
  const kind = subjectOfStream[event.category];
  if (kind === undefined) return timerEffects[event.type]?.(event).subject ?? event.stream;
  return toId(kind, event.stream.slice(event.category.length + 1));
}

/** What is due, and when. A timer that took effect, or cannot any more, has no row. */
export const timers: Projection = {
  name: 'timers',
  table,
  categories: [accountSlotsEvents.name, sessionEvents.name, webhookEndpointEvents.name],
  types: new Set(Object.keys(timerEffects)),
  rowOf: subjectOf,
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
