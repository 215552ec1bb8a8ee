import { deliveryStatuses, WebhookDelivery } from '../contracts/resources/webhook-delivery.ts';
import { webhookEventTypes } from '../contracts/webhooks/event-types.ts';
import type { Call } from '../infra/http/index.ts';
import {
  deliveryList,
  filteredDeliveryList,
  type ListedDelivery,
} from '../projections/queries/webhook-delivery-lists.ts';
import { webhookById } from '../projections/queries/webhook-endpoint.ts';
import type { Reader } from './engine/credentials.ts';
import { createdKeyset, type Pages } from './engine/paging.ts';
import { idOf, queryTime, readOne, resourceIn, type Read } from './engine/reading.ts';

/** Deliveries of an endpoint. A page ends where the next one begins, so the first one begins at `until`. */
export const deliveryReads = (read: Read, { page }: Pages) => ({
  'webhooks.deliveries': {
    run: async (call: Call<'webhooks.deliveries', Reader, never>) => {
      const webhookId = idOf('webhook', call.params.id);
      const { status, event_type } = call.query;
      const since = queryTime('since', call.query.since)?.toISOString() ?? '-infinity';
      const until = queryTime('until', call.query.until)?.toISOString() ?? 'infinity';
      const wanted = pairsOf(status, event_type);
      return page(call, {
        list: `webhooks.deliveries ${JSON.stringify([webhookId, status, event_type, since, until])}`,
        statement: status === undefined && event_type === undefined ? deliveryList : filteredDeliveryList,
        after: ([beforeTime = until, beforeId = ''], account) => ({
          ...{ ...account, webhookId, since, beforeTime, beforeId },
          ...wanted,
        }),
        keysetOf: createdKeyset,
        show: showDelivery,
        assertExists: async () => {
          const { accountId } = call.caller;
          await readOne(read, call, webhookById, { accountId, id: webhookId }, () => undefined);
        },
      });
    },
  },
});

type Filter = Call<'webhooks.deliveries', Reader, never>['query'];

/** Every pair of a wanted status and a wanted event type. */
function pairsOf(status: Filter['status'], eventType: Filter['event_type']) {
  const types = eventType === undefined ? webhookEventTypes : [eventType];
  const pairs = (status === undefined ? deliveryStatuses : [status]).flatMap((each) =>
    types.map((type) => ({ each, type })),
  );
  return { statuses: pairs.map(({ each }) => each), types: pairs.map(({ type }) => type) };
}

const showDelivery = (row: ListedDelivery) => resourceIn(WebhookDelivery, row);
