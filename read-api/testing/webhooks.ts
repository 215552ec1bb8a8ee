import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import type { WebhookDeliveryId, WebhookId } from '../../contracts/ids.ts';
import { at } from '../../projections/testing/index.ts';
import {
  aDelivery,
  aWebhook,
  deliveryEvents,
  deliveryStream,
  endpointEvents,
  webhookStream,
} from '../../projections/testing/webhooks.ts';
import type { ReadApi } from '../testing.ts';

/** An account with a key, and what the write side does for it. */
export async function newcomer(api: ReadApi) {
  const { account, key } = await api.addAccount();
  const write = (stream: string, ...events: readonly DomainEvent[]) => api.write(account, stream, events);
  return {
    account,
    write,
    token: key.text,
    get: (path: string) => api.call(`GET /v1/${path}`, { token: key.text }),
    async register(createdAt = at): Promise<WebhookId> {
      const id = aWebhook();
      const facts = { webhookId: id, accountId: account, at: createdAt };
      await write(webhookStream(id), endpointEvents.WebhookRegistered(facts));
      return id;
    },
    async schedule(
      webhookId: WebhookId,
      facts: Parameters<typeof deliveryEvents.DeliveryScheduled>[0] = {},
      ...later: readonly DomainEvent[]
    ): Promise<WebhookDeliveryId> {
      const of = { deliveryId: aDelivery(), webhookId, accountId: account };
      await write(
        deliveryStream(of.deliveryId),
        deliveryEvents.DeliveryScheduled({ ...of, ...facts }),
        ...later,
      );
      return of.deliveryId;
    },
  };
}
export type Newcomer = Awaited<ReturnType<typeof newcomer>>;
