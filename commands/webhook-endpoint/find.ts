import { parseId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import {
  webhookDelivery,
  type ClosedDelivery,
  type OpenDelivery,
} from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { ExistingWebhook, WebhookEndpoint } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { WebhookPorts } from './ports.ts';

type Loading = Pick<WebhookPorts, 'runner'>;

/** Refuses what never was and what is deleted, alike. */
export function present(state: WebhookEndpoint): ExistingWebhook {
  if (state.status === 'none' || state.status === 'deleted') throw refuse('not-found');
  return state;
}

/** Another account's endpoint and an id that is none are refused as a missing one is: nobody learns which exist. */
export const findWebhook = async (
  ports: Loading,
  accountId: AccountId,
  id: string,
): Promise<ExistingWebhook> => present(await findEvenDeleted(ports, accountId, id));

/** The same, but its owner finds a deleted endpoint too: to delete it again changes nothing and is no mistake. */
export async function findEvenDeleted(
  { runner }: Loading,
  accountId: AccountId,
  id: string,
): Promise<ExistingWebhook> {
  const webhookId = parseId('webhook', id);
  if (webhookId === undefined) throw refuse('not-found');
  const { state } = await runner.load(webhookEndpoint, uuidOf(webhookId));
  if (state.status === 'none' || state.accountId !== accountId) throw refuse('not-found');
  return state;
}

/** A delivery with the endpoint it was for. */
export interface OwnedDelivery {
  readonly delivery: OpenDelivery | ClosedDelivery;
  readonly webhook: ExistingWebhook;
}

/** Refuses alike, too, a delivery whose endpoint is deleted: it is gone with it. */
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
