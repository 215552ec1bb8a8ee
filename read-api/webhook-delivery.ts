import { streamOf } from '../contracts/events/catalogue.ts';
import { fieldAt } from '../contracts/events/fields.ts';
import { webhookDeliveryEvents } from '../contracts/events/webhook-delivery.ts';
import { uuidOf, type WebhookId } from '../contracts/ids.ts';
import {
  deliveryStatuses,
  WebhookDelivery,
  type DeliveryRequest,
} from '../contracts/resources/webhook-delivery.ts';
import { webhookEventTypes } from '../contracts/webhooks/event-types.ts';
import type { EventStore } from '../infra/event-store/client/types.ts';
import { handlerWithExists, type Call } from '../infra/http/index.ts';
import { openRows, type Opening } from '../infra/personal/text.ts';
import { headersOf } from '../infra/webhooks/headers.ts';
import {
  deliveryById,
  deliveryList,
  filteredDeliveryList,
  type ListedDelivery,
} from '../projections/queries/webhook-delivery-lists.ts';
import { webhookById } from '../projections/queries/webhook-endpoint.ts';
import type { Reader } from './engine/credentials.ts';
import { duringOutage } from './engine/log-outage.ts';
import { createdKeyset, type Pages } from './engine/paging.ts';
import { idOf, listBelow, queryTime, resourceIn, showOne, type Read } from './engine/reading.ts';

interface Kept {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly vault: Opening;
}

/** A page has the deliveries before its cursor; the first one those before `until`. */
export const deliveryReads = (read: Read, { page }: Pages, kept: Kept) => ({
  'webhooks.deliveries': handlerWithExists<'webhooks.deliveries', Reader, WebhookId>({
    exists: listBelow(read, (text) => idOf('webhook', text), webhookById),
    run: async (call) => {
      const { found: webhookId } = call;
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
      });
    },
  }),
  'webhook-deliveries.get': showOne(read, 'webhookDelivery', deliveryById, async (row) => ({
    ...showDelivery(row),
    request: await requestOf(row, kept),
  })),
});

/** The body is read from the log, as for each attempt; the headers are computed as for an attempt. */
async function requestOf(
  { id, url, event_id: eventId, event_type: eventType }: ListedDelivery & { readonly url: string },
  { store, vault }: Kept,
): Promise<DeliveryRequest> {
  const body = await duringOutage('What was sent', async () => {
    const scheduled = store.readStream(streamOf(webhookDeliveryEvents, uuidOf(id)), { limit: 1 });
    for await (const { data } of scheduled) return String(fieldAt(data, 'body'));
    return '';
  });
  const headers = headersOf({ eventId, eventType }, null).map(([name, value]) => ({ name, value }));
  const [opened] = await openRows(vault, [{ body }]);
  return { method: 'POST', url, headers, body: opened?.body ?? '' };
}

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
