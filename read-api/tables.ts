import type { Kysely } from 'kysely';
import type { StoredAccountEvent } from '../projections/account-events.ts';
import type { accounts } from '../projections/accounts.ts';
import type { apiKeys } from '../projections/api-keys.ts';
import type { StoredEntry } from '../projections/audit/log.ts';
import type { PositionColumns } from '../infra/postgres/position-columns.ts';
import type { sessions } from '../projections/sessions.ts';
import type { ReadRowOf } from '../projections/table.ts';
import type { webhookDeliveries } from '../projections/webhook-deliveries.ts';
import type { webhookReplays } from '../projections/webhook-replays.ts';
import type { webhooks } from '../projections/webhooks.ts';

export type SessionRow = ReadRowOf<(typeof sessions)['table']['columns']>;
export type ApiKeyRow = ReadRowOf<(typeof apiKeys)['table']['columns']>;
export type AccountRow = ReadRowOf<(typeof accounts)['table']['columns']>;
export type WebhookRow = ReadRowOf<(typeof webhooks)['table']['columns']>;
export type DeliveryRow = ReadRowOf<(typeof webhookDeliveries)['table']['columns']>;
export type ReplayRow = ReadRowOf<(typeof webhookReplays)['table']['columns']>;
export type AccountEventRow = StoredAccountEvent & PositionColumns;

interface KeyUseRow {
  readonly key_id: string;
  readonly used_at: Date;
}

/** The tables this side reads, as kysely is to know them. */
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

export type Database = Kysely<Tables>;
