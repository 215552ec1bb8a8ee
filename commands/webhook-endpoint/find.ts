import type { AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import {
  webhookDelivery,
  type ClosedDelivery,
  type OpenDelivery,
} from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { ExistingWebhook, WebhookEndpoint } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { findOwned } from '../engine/find-owned.ts';
import type { WebhookPorts } from './ports.ts';

type Loading = Pick<WebhookPorts, 'runner'>;

/** Refuses what never was and what is deleted, alike. */
export function present(state: WebhookEndpoint): ExistingWebhook {
  if (state.status === 'none' || state.status === 'deleted') throw refuse('not-found');
  return state;
}

export const findWebhook = async (
  ports: Loading,
  accountId: AccountId,
  id: string,
): Promise<ExistingWebhook> => present(await findEvenDeleted(ports, accountId, id));

/** Its owner finds a deleted endpoint too: to delete it again changes nothing and is no mistake. */
export const findEvenDeleted = (
  { runner }: Loading,
  accountId: AccountId,
  id: string,
): Promise<ExistingWebhook> => findOwned(runner, webhookEndpoint, 'webhook', accountId, id);

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
  const delivery = await findOwned(runner, webhookDelivery, 'webhookDelivery', accountId, id);
  return { delivery, webhook: await findWebhook({ runner }, accountId, delivery.webhookId) };
}
