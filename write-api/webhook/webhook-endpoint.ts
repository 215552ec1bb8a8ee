import type { ExistingWebhook, WebhookCommands } from '../../commands/webhook-endpoint/index.ts';
import { endUnlessAllowed, makerOf, type MakingPorts } from '../../commands/team/made-by.ts';
import { streamOf } from '../../contracts/events/catalogue.ts';
import { webhookEndpointEvents } from '../../contracts/events/webhook-endpoint.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { creatorOf } from '../../contracts/resources/creator.ts';
import { presentWebhook, type Webhook } from '../../contracts/resources/webhook-endpoint.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

type EndpointRoutes = 'webhooks.create' | 'webhooks.update' | 'webhooks.delete' | 'webhooks.rotate-secret';
type SendingRoutes = 'webhooks.test' | 'webhook-deliveries.replay';

/** The routes that create, change and delete endpoints and rotate their secrets. */
export function webhookHandlers(
  ports: MakingPorts & { readonly webhooks: WebhookCommands },
  clock: Clock,
  { answering, answeringOn }: Handling,
): HandlersOf<EndpointRoutes> {
  const { webhooks } = ports;
  const onEndpoint = answeringOn(({ accountId }, id) => webhooks.find(accountId, id));
  const onEvenDeleted = answeringOn(({ accountId }, id) => webhooks.findEvenDeleted(accountId, id));
  return {
    'webhooks.create': answering(async ({ caller, body }) => {
      const { url, events, description = null } = body;
      const { accountId, context } = caller;
      const made = await webhooks.register(accountId, { url, events, description }, context);
      await endUnlessAllowed(ports, caller, { webhooks: [made.webhook.webhookId] });
      const maker = { created_by: creatorOf(context.actor) };
      return {
        body: { ...shown(made.webhook, clock), ...maker, secret: made.secret },
        position: made.position,
      };
    }),
    'webhooks.update': onEndpoint(async ({ caller, found, body: { events, description } }) => {
      const { webhook, position } = await webhooks.change(found, { events, description }, caller.context);
      const stream = streamOf(webhookEndpointEvents, uuidOf(found.webhookId));
      const maker = { created_by: await makerOf(ports, stream) };
      return { body: { ...shown(webhook, clock), ...maker }, position };
    }),
    'webhooks.delete': onEvenDeleted(async ({ caller, found }) => ({
      position: await webhooks.delete(found, caller.context),
    })),
    'webhooks.rotate-secret': onEndpoint(async ({ caller, found }) => {
      const { secret, previousExpiresAt, position } = await webhooks.rotateSecret(found, caller.context);
      return { body: { secret, previous_secret_expires_at: previousExpiresAt }, position };
    }),
  };
}

/** The routes that send one event to an endpoint on request. */
export function webhookSendingHandlers(
  webhooks: WebhookCommands,
  { answeringOn }: Handling,
): HandlersOf<SendingRoutes> {
  const onEndpoint = answeringOn(({ accountId }, id) => webhooks.find(accountId, id));
  const onDelivery = answeringOn(({ accountId }, id) => webhooks.findDelivery(accountId, id));
  return {
    'webhooks.test': onEndpoint(async ({ caller, found }) => {
      const { eventId, deliveryId, position } = await webhooks.requestTest(found, caller.context);
      return { body: { event_id: eventId, delivery_id: deliveryId }, position };
    }),
    'webhook-deliveries.replay': onDelivery(async ({ caller, found }) => {
      const { deliveryId, eventId, position } = await webhooks.replayDelivery(found, caller.context);
      const replayOf = found.delivery.deliveryId;
      const body = { delivery_id: deliveryId, replay_of: replayOf, event_id: eventId, status: 'pending' };
      return { body, position };
    }),
  };
}

const shown = (webhook: ExistingWebhook, clock: Clock): Webhook =>
  presentWebhook(
    {
      id: webhook.webhookId,
      url: webhook.url,
      events: [...webhook.events],
      description: webhook.description,
      consecutive_failures: webhook.failures.length,
      disabled_at: webhook.disabledAt,
      created_at: webhook.createdAt,
      updated_at: webhook.updatedAt,
      secret_created_at: webhook.secret.createdAt,
      previous_secret_expires_at: webhook.previousSecret?.graceEndsAt ?? null,
    },
    clock.now(),
  );
