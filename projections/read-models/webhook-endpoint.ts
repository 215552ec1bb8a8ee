import { webhookEndpointEvents } from '../../contracts/events/webhook-endpoint.ts';
import { creatorOf, type Creator } from '../../contracts/resources/creator.ts';
import { readModel } from '../engine/read-model.ts';
import { column, jsonOf, optionalJsonOf, textOf } from '../engine/table.ts';
import type { AccountId, WebhookId } from '../../contracts/ids.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';

/** Every webhook endpoint, deleted ones included, for the sweep that cancels their deliveries. */
export const webhooks = readModel('webhooks', {
  of: webhookEndpointEvents,
  id: 'webhook',
  columns: {
    id: textOf<WebhookId>(),
    account_id: textOf<AccountId>(),
    url: column.text,
    events: jsonOf<SubscribableEventType[]>(),
    description: column.optionalText,
    /** Consecutive failed attempts, as far as counted. */
    consecutive_failures: column.integer,
    disabled_at: column.optionalTime,
    deleted_at: column.optionalTime,
    created_at: column.time,
    updated_at: column.time,
    secret_created_at: column.time,
    /** Of the last rotation, even after its grace. */
    previous_secret_expires_at: column.optionalTime,
    created_by: optionalJsonOf<Creator>(),
  },
  /** For the account's list; failing endpoints; deleted and disabled ones. */
  indexes: [
    '(account_id, created_at desc, id desc) where deleted_at is null',
    '(consecutive_failures desc) where consecutive_failures > 0 and deleted_at is null and disabled_at is null',
    '(greatest(disabled_at, deleted_at)) where disabled_at is not null or deleted_at is not null',
  ],
  handlers: 1,
  creates: {
    WebhookRegistered: ({ data, metadata }) => ({
      id: data.webhookId,
      account_id: data.accountId,
      url: data.url,
      events: data.events,
      description: data.description,
      consecutive_failures: 0,
      disabled_at: null,
      deleted_at: null,
      created_at: data.at,
      updated_at: data.at,
      secret_created_at: data.at,
      previous_secret_expires_at: null,
      created_by: creatorOf(metadata.actor),
    }),
  },
  changes: {
    WebhookChanged: ({ data: { at, events, description } }) => ({ events, description, updated_at: at }),
    WebhookSecretRotated: ({ data: { at, graceEndsAt } }) => ({
      secret_created_at: at,
      previous_secret_expires_at: graceEndsAt,
      updated_at: at,
    }),
    WebhookFailureCounted: ({ data }) => ({ consecutive_failures: data.consecutive }),
    WebhookFailuresCleared: ({ data }) => ({ consecutive_failures: data.left ?? 0 }),
    WebhookDisabled: ({ data: { at } }, row) => ({ disabled_at: row.disabled_at ?? at, updated_at: at }),
    WebhookDeleted: ({ data: { at } }) => ({ deleted_at: at, updated_at: at }),
  },
});
