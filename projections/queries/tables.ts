import { queryBuilder } from '../../infra/postgres/queries.ts';
import type pg from 'pg';
import type { mails } from '../read-models/mail.ts';
import type { StoredAccountEvent } from '../read-models/account-event.ts';
import type { accounts } from '../read-models/account.ts';
import type { apiKeys } from '../read-models/api-key.ts';
import type { StoredEntry } from '../audit/log.ts';
import type { PositionColumns } from '../../infra/postgres/position-columns.ts';
import type { sessions } from '../read-models/session.ts';
import type { ReadRowOf } from '../engine/table.ts';
import type { webhookDeliveries } from '../read-models/webhook-delivery.ts';
import type { webhookReplays } from '../read-models/webhook-replay.ts';
import type { webhooks } from '../read-models/webhook-endpoint.ts';

export type SessionRow = ReadRowOf<(typeof sessions)['table']['columns']>;
export type ApiKeyRow = ReadRowOf<(typeof apiKeys)['table']['columns']>;
export type AccountRow = ReadRowOf<(typeof accounts)['table']['columns']>;
export type WebhookRow = ReadRowOf<(typeof webhooks)['table']['columns']>;
export type DeliveryRow = ReadRowOf<(typeof webhookDeliveries)['table']['columns']>;
export type MailRow = ReadRowOf<(typeof mails)['table']['columns']>;
export type ReplayRow = ReadRowOf<(typeof webhookReplays)['table']['columns']>;
export type AccountEventRow = StoredAccountEvent & PositionColumns;

interface KeyUseRow {
  readonly key_id: string;
  readonly used_at: Date;
}

/** What runs a statement: the pool, or a connection of it. */
export type Queryable = Pick<pg.Pool, 'query'>;

/** The tables that readers may ask, as kysely is to know them. */
export type Tables = {
  'read_model.sessions': SessionRow;
  'read_model.api_keys': ApiKeyRow;
  'read_model.accounts': AccountRow;
  'read_model.audit_log': StoredEntry;
  'read_model.webhooks': WebhookRow;
  'read_model.webhook_deliveries': DeliveryRow;
  'read_model.webhook_replays': ReplayRow;
  'read_model.account_events': AccountEventRow;
  'ephemeral.key_uses': KeyUseRow;
};

/** Compiles statements; nothing runs on it. */
export const db = queryBuilder().withTables<Tables>();
