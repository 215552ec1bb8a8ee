import { sql } from 'kysely';
import type { AccountId, WebhookId } from '../../contracts/ids.ts';
import { WebhookDelivery, type DeliveryStatus } from '../../contracts/resources/webhook-delivery.ts';
import { fieldNames } from '../../contracts/schema.ts';
import type { WebhookEventType } from '../../contracts/webhooks/event-types.ts';
import { afterCursor, listOf, newestFirst, type ListParameters, type OneParameters } from './lists.ts';
import { freshStatement, type Parameters } from './fresh-statement.ts';
import { db, type Tables } from './tables.ts';

export interface OfWebhook {
  readonly accountId: AccountId;
  readonly webhookId: WebhookId;
}

export interface DeliveryListParameters extends ListParameters, OfWebhook {
  /** Inclusive. */
  readonly since: string;
}

/** Each status is combined with the event type at the same index. */
export interface FilteredListParameters extends DeliveryListParameters {
  readonly statuses: readonly DeliveryStatus[];
  readonly types: readonly WebhookEventType[];
}

/** The columns of a reply. */
const listed = fieldNames(WebhookDelivery);
export type ListedDelivery = Pick<Tables['read_model.webhook_deliveries'], (typeof listed)[number]>;

/** Condition: the endpoint belongs to the account, and is not deleted. */
export const isOwnEndpoint = (parameter: Parameters<OfWebhook>) =>
  sql<boolean>`exists (
    select from read_model.webhooks as own
    where own.id = ${parameter('webhookId')} and own.account_id = ${parameter('accountId')} and own.deleted_at is null
  )`;

const isSince = (parameter: Parameters<DeliveryListParameters>) =>
  sql<boolean>`created_at >= ${parameter('since')}::timestamptz`;

/** An endpoint's deliveries, in the order of the list's index. */
export const deliveryList = listOf('list-deliveries', (parameter: Parameters<DeliveryListParameters>) =>
  db
    .selectFrom('read_model.webhook_deliveries')
    .select(listed)
    .where('endpoint_id', '=', parameter('webhookId'))
    .where(isOwnEndpoint(parameter))
    .where(isSince(parameter)),
);

/** One delivery, with the address of its endpoint, which is not deleted. */
export const deliveryById = freshStatement<
  OneParameters,
  ListedDelivery & Pick<Tables['read_model.webhooks'], 'url'>
>('get-webhook-delivery', (parameter) =>
  db
    .selectFrom('read_model.webhook_deliveries as delivery')
    .innerJoin('read_model.webhooks as endpoint', 'endpoint.id', 'delivery.endpoint_id')
    .select(listed.map((name) => `delivery.${name}` as const))
    .select('endpoint.url')
    .where(sql<boolean>`delivery.id = ${parameter('id')} and endpoint.account_id = ${parameter('accountId')}`)
    .where('endpoint.deleted_at', 'is', null),
);

/**
 * Deliveries of some statuses and event types: a page of each pair, merged and cut to the newest. Every pair is a range of one
 * index, so a page's cost does not depend on the number of deliveries.
 */
export const filteredDeliveryList = freshStatement<FilteredListParameters, ListedDelivery>(
  'list-deliveries-filtered',
  (parameter) =>
    db
      .selectFrom(
        sql<{ status: DeliveryStatus; event_type: WebhookEventType }>`
            unnest(${parameter('statuses')}::text[], ${parameter('types')}::text[])`.as<'wanted'>(
          sql`wanted (status, event_type)`,
        ),
      )
      .innerJoinLateral(
        (query) =>
          query
            .selectFrom('read_model.webhook_deliveries as delivery')
            .select(listed)
            .where('delivery.endpoint_id', '=', parameter('webhookId'))
            .whereRef('delivery.status', '=', 'wanted.status')
            .whereRef('delivery.event_type', '=', 'wanted.event_type')
            .where(afterCursor(parameter))
            .where(isSince(parameter))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(parameter('limit'))
            .as('found'),
        (join) => join.onTrue(),
      )
      .selectAll('found')
      .where(isOwnEndpoint(parameter))
      .orderBy('found.created_at', 'desc')
      .orderBy('found.id', 'desc')
      .limit(parameter('limit')),
  newestFirst,
);
