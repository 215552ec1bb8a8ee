import type pg from 'pg';
import { announcedTypes, categoriesWith } from '../../contracts/events/index.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { EnvelopeType } from '../../contracts/webhooks/envelope.ts';
import { bodyOf, envelopeOf } from '../../domain/webhook-event/webhook-event.ts';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { ownerOf } from '../../infra/event-store/client/owner.ts';
import type { Fold, Projection } from '../engine/projection.ts';
import {
  column,
  writeRows,
  textOf,
  type Positioned,
  type RowOf,
  type Schema,
  type Table,
} from '../engine/table.ts';

const columns = {
  /** Id of the envelope. */
  id: column.text,
  account_id: textOf<AccountId>(),
  type: textOf<EnvelopeType>(),
  created_at: column.time,
  /** Log position of the event. */
  stream: column.text,
  revision: column.bigint,
  /** The envelope, byte for byte as in deliveries. */
  body: column.text,
};
export type AccountEventRow = RowOf<typeof columns>;

const table: Table<typeof columns> = {
  name: 'account_events',
  columns,
  key: ['id'],
  /** The first is for the feed, the second for the forecast of a replay. */
  indexes: ['(account_id, commit_position, prepare_position)', '(account_id, created_at, type)'],
  handlers: 1,
};

/** Event types in an account's feed, without a test's ping. */
const announced = new Set(Object.keys(announcedTypes).filter((type) => type !== 'WebhookTestRequested'));

/** The row of an event in its account's feed; undefined for any other. */
export function accountEventOf(event: RecordedEvent): AccountEventRow | undefined {
  const envelope = announced.has(event.type) ? envelopeOf(event.id, event) : undefined;
  const account_id = ownerOf(event);
  if (envelope === undefined || account_id === undefined) return undefined;
  const { id, type, created_at } = envelope;
  const { stream, revision } = event;
  return { id, account_id, type, created_at, stream, revision: String(revision), body: bodyOf(envelope) };
}

/**
 * Every account's feed of events, in the order of the log. Behind a parked event an account's later events are parked too, so
 * that a polling client misses none.
 */
export const accountEvents: Projection = {
  name: table.name,
  table,
  categories: categoriesWith('announced').map(({ name }) => name),
  types: announced,
  rowOf: (event) => ownerOf(event) ?? event.stream,
  open: (client, schema) => Promise.resolve(collect(client, schema)),
};

function collect(client: pg.ClientBase, schema: Schema): Fold {
  const rows: Positioned<AccountEventRow>[] = [];
  return {
    apply(event) {
      const row = accountEventOf(event);
      if (row !== undefined) rows.push({ row, position: event.position });
    },
    // An event stored twice is in the feed once, at its first position.
    write: () => writeRows(client, schema, table, 'insert missing', rows),
  };
}
