import { parseId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import {
  webhookDelivery,
  type ClosedDelivery,
  type OpenDelivery,
} from '../../domain/webhook-delivery/index.ts';
import {
  webhookEndpoint,
  type ExistingWebhook,
  type WebhookEndpoint,
} from '../../domain/webhook-endpoint/index.ts';
import type { WebhookPorts } from './ports.ts';

type Loading = Pick<WebhookPorts, 'runner'>;

/** An endpoint that is there, when that is certain only to whoever ran a command on it. */
export function present(state: WebhookEndpoint): ExistingWebhook {
  if (state.status === 'none' || state.status === 'deleted') throw refuse('not-found');
  return state;
}

/** Missing, deleted, another account's and no endpoint id at all are refused alike: nobody learns which exist. */
export async function findWebhook(
  { runner }: Loading,
  accountId: AccountId,
  id: string,
): Promise<ExistingWebhook> {
  const webhookId = parseId('webhook', id);
  if (webhookId === undefined) throw refuse('not-found');
  const webhook = present((await runner.load(webhookEndpoint, uuidOf(webhookId))).state);
  if (webhook.accountId !== accountId) throw refuse('not-found');
  return webhook;
}

/** A delivery with the endpoint it was for. */
export interface OwnedDelivery {
  readonly delivery: OpenDelivery | ClosedDelivery;
  readonly webhook: ExistingWebhook;
}

/** The same of a delivery; one whose endpoint is deleted is gone with it. */
export async function findDelivery(
  { runner }: Loading,
  accountId: AccountId,
  id: string,
): Promise<OwnedDelivery> {
  const deliveryId = parseId('webhookDelivery', id);
  if (deliveryId === undefined) throw refuse('not-found');
  const { state: delivery } = await runner.load(webhookDelivery, uuidOf(deliveryId));
  if (delivery.status === 'none' || delivery.accountId !== accountId) throw refuse('not-found');
  return { delivery, webhook: await findWebhook({ runner }, accountId, delivery.webhookId) };
}
