import type { WebhookId } from '../contracts/ids.ts';
import { deliveryStatuses, type WebhookDelivery } from '../contracts/resources/webhook-delivery.ts';
import { webhookEventTypes } from '../contracts/webhooks/event-types.ts';
import type { Call, Handlers } from '../infra/http/index.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors } from './engine/cursors.ts';
import {
  deliveryList,
  filteredDeliveryList,
  type FilteredListParameters,
  type ListedDelivery,
} from '../projections/queries/webhook-delivery-lists.ts';
import { keysetOf, pageOf } from './engine/paging.ts';
import { notFound, type Read } from './engine/reading.ts';
import { timeOf } from './engine/time.ts';
import { webhookById } from '../projections/queries/webhook-endpoint.ts';
import { webhookIdOf } from './webhook-endpoint.ts';

type ListCall = Call<'webhooks.deliveries', Reader, never>;

interface Asked {
  readonly parameters: FilteredListParameters;
  readonly isFiltered: boolean;
  readonly limit: number;
  /** The list that a cursor belongs to: this endpoint's with these filters. */
  readonly route: string;
}

export function deliveryReads(
  read: Read,
  cursors: Cursors,
): Pick<Handlers<'read', Reader>, 'webhooks.deliveries'> {
  return {
    'webhooks.deliveries': {
      run: async (call) => {
        const webhookId = webhookIdOf(call.params.id);
        const { accountId } = call.caller;
        const { parameters, isFiltered, route, limit } = askedOf(call, webhookId, cursors);
        const list = isFiltered ? filteredDeliveryList : deliveryList;
        const { rows, freshness } = await read(call, list, parameters);
        if (rows.length === 0) {
          const { rows: found, stale } = await read(call, webhookById, { accountId, webhookId });
          if (found.length === 0) throw notFound(stale);
        }
        const body = pageOf(rows, { route, accountId, limit, cursors, keysetOf, show: showDelivery });
        return { body, ...freshness };
      },
    },
  };
}

/** A page ends where the next one begins, so that `until` is the place where the first one begins. */
function askedOf({ caller, query }: ListCall, webhookId: WebhookId, cursors: Cursors): Asked {
  const { accountId } = caller;
  const { limit = 50, cursor, status, event_type } = query;
  const since = timeOf('since', query.since)?.toISOString() ?? '-infinity';
  const until = timeOf('until', query.until)?.toISOString() ?? 'infinity';
  const route = `webhooks.deliveries ${JSON.stringify([webhookId, status, event_type, since, until])}`;
  const [beforeTime = until, beforeId = ''] = cursors.decode(route, accountId, cursor) ?? [];
  const wanted = (status === undefined ? deliveryStatuses : [status]).flatMap((each) =>
    (event_type === undefined ? webhookEventTypes : [event_type]).map((type) => ({ each, type })),
  );
  return {
    parameters: {
      accountId,
      webhookId,
      since,
      beforeTime,
      beforeId,
      limit: limit + 1,
      statuses: wanted.map(({ each }) => each),
      types: wanted.map(({ type }) => type),
    },
    isFiltered: status !== undefined || event_type !== undefined,
    limit,
    route,
  };
}

const showDelivery = (row: ListedDelivery): WebhookDelivery => ({
  id: row.id,
  endpoint_id: row.endpoint_id,
  event_id: row.event_id,
  event_type: row.event_type,
  status: row.status,
  trigger: row.trigger,
  replay_of: row.replay_of,
  attempt_count: row.attempt_count,
  next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  delivered_at: row.delivered_at?.toISOString() ?? null,
  attempts: row.attempts,
});
