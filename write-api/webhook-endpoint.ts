import type { Caller } from '../commands/engine/context.ts';
import type { ExistingWebhook, WebhookCommands } from '../commands/webhook-endpoint/index.ts';
import type { Webhook } from '../contracts/resources/webhook-endpoint.ts';
import type { Clock } from '../infra/platform/clock.ts';
import { onFound, type Handlers } from '../infra/http/index.ts';
import { at, type Answering } from './engine/handling.ts';
import { duringOutage } from './engine/outage.ts';

export interface WebhookHandlerOptions {
  readonly webhooks: WebhookCommands;
  readonly clock: Clock;
  readonly answering: Answering;
}

export type HandlersOf<Id extends keyof Handlers<'write', Caller>> = Pick<Handlers<'write', Caller>, Id>;

interface Named {
  readonly id: string;
}

/** The endpoint that a path names. */
export const foundBy = ({ find }: WebhookCommands) =>
  duringOutage((caller: Caller, { id }: Named) => find(caller.accountId, id));
const evenDeletedFoundBy = ({ findEvenDeleted }: WebhookCommands) =>
  duringOutage((caller: Caller, { id }: Named) => findEvenDeleted(caller.accountId, id));
const deliveryFoundBy = ({ findDelivery }: WebhookCommands) =>
  duringOutage((caller: Caller, { id }: Named) => findDelivery(caller.accountId, id));

/** The routes that make, change and delete endpoints and their secrets. */
export function webhookHandlers({
  webhooks,
  clock,
  answering,
}: WebhookHandlerOptions): HandlersOf<
  'webhooks.create' | 'webhooks.update' | 'webhooks.delete' | 'webhooks.rotate-secret'
> {
  const exists = foundBy(webhooks);
  return {
    'webhooks.create': {
      run: answering(async ({ caller, body }) => {
        const { url, events, description = null } = body;
        const { accountId, context } = caller;
        const made = await webhooks.register(accountId, { url, events, description }, context);
        return { body: { ...shown(made.webhook, clock), secret: made.secret }, ...at(made.position) };
      }),
    },
    'webhooks.update': onFound({
      exists,
      run: answering(async ({ caller, found, body: { events, description } }) => {
        const changed = await webhooks.change(found, { events, description }, caller.context);
        return { body: shown(changed.webhook, clock), ...at(changed.position) };
      }),
    }),
    'webhooks.delete': onFound({
      exists: evenDeletedFoundBy(webhooks),
      run: answering(async ({ caller, found }) => at(await webhooks.delete(found, caller.context))),
    }),
    'webhooks.rotate-secret': onFound({
      exists,
      run: answering(async ({ caller, found }) => {
        const rotated = await webhooks.rotateSecret(found, caller.context);
        const body = { secret: rotated.secret, previous_secret_expires_at: rotated.previousExpiresAt };
        return { body, ...at(rotated.position) };
      }),
    }),
  };
}

/** The routes that send one event to an endpoint on request. */
export function webhookSendingHandlers({
  webhooks,
  answering,
}: Omit<WebhookHandlerOptions, 'clock'>): HandlersOf<'webhooks.test' | 'webhook-deliveries.replay'> {
  const exists = foundBy(webhooks);
  return {
    'webhooks.test': onFound({
      exists,
      run: answering(async ({ caller, found }) => {
        const { eventId, deliveryId, position } = await webhooks.requestTest(found, caller.context);
        return { body: { event_id: eventId, delivery_id: deliveryId }, ...at(position) };
      }),
    }),
    'webhook-deliveries.replay': onFound({
      exists: deliveryFoundBy(webhooks),
      run: answering(async ({ caller, found }) => {
        const { deliveryId, eventId, position } = await webhooks.replayDelivery(found, caller.context);
        const replayOf = found.delivery.deliveryId;
        const body = { delivery_id: deliveryId, replay_of: replayOf, event_id: eventId, status: 'pending' };
        return { body, ...at(position) };
      }),
    }),
  };
}

function shown(webhook: ExistingWebhook, clock: Clock): Webhook {
  const graceEndsAt = webhook.previousSecret?.graceEndsAt ?? null;
  const isInGrace = graceEndsAt !== null && clock.now().getTime() < Date.parse(graceEndsAt);
  return {
    id: webhook.webhookId,
    url: webhook.url,
    events: [...webhook.events],
    ...(webhook.description !== null && { description: webhook.description }),
    consecutive_failures: webhook.failures.length,
    disabled_at: webhook.disabledAt,
    created_at: webhook.createdAt,
    updated_at: webhook.updatedAt,
    secret_created_at: webhook.secret.createdAt,
    previous_secret_expires_at: isInGrace ? graceEndsAt : null,
  };
}
