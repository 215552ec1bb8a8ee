import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import type { ExistingWebhook } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { ownedContext, stepContext } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import { findDelivery, findEvenDeleted, findWebhook, present, type OwnedDelivery } from './find.ts';
import { releaseWebhook } from './quota.ts';
import type { WebhookPorts } from './ports.ts';
import { registerWebhook, type NewWebhook } from './register.ts';
import {
  cancelReplay,
  forecastReplay,
  replayDelivery,
  requestReplay,
  type ReplayOrder,
} from '../webhook-replay/index.ts';
import { requestTest } from './request-test.ts';
import { rotateSecret } from './secrets.ts';

/** What customers do with their endpoints. Positions are undefined when nothing was left to do. */
export const createWebhookCommands = (ports: WebhookPorts) => ({
  find: (accountId: AccountId, id: string) => findWebhook(ports, accountId, id),
  findEvenDeleted: (accountId: AccountId, id: string) => findEvenDeleted(ports, accountId, id),
  findDelivery: (accountId: AccountId, id: string) => findDelivery(ports, accountId, id),
  register: (accountId: AccountId, webhook: NewWebhook, context: CommandContext) =>
    registerWebhook(ports, accountId, webhook, ownedContext(context, accountId)),
  change: (webhook: ExistingWebhook, changes: WebhookChanges, context: CommandContext) =>
    change(ports, webhook, changes, ownedContext(context, webhook.accountId)),
  delete: (webhook: ExistingWebhook, context: CommandContext) =>
    remove(ports, webhook, ownedContext(context, webhook.accountId)),
  rotateSecret: (webhook: ExistingWebhook, context: CommandContext) =>
    rotateSecret(ports, webhook, ownedContext(context, webhook.accountId)),
  requestTest: (webhook: ExistingWebhook, context: CommandContext) =>
    requestTest(ports, webhook, ownedContext(context, webhook.accountId)),
  replayDelivery: (owned: OwnedDelivery, context: CommandContext) =>
    replayDelivery(ports, owned, ownedContext(context, owned.webhook.accountId)),
  requestReplay: (webhook: ExistingWebhook, order: ReplayOrder, context: CommandContext) =>
    requestReplay(ports, webhook, order, ownedContext(context, webhook.accountId)),
  cancelReplay: (webhook: ExistingWebhook, id: string, context: CommandContext) =>
    cancelReplay(ports, webhook, id, ownedContext(context, webhook.accountId)),
  forecastReplay: (webhook: ExistingWebhook, order: ReplayOrder) => forecastReplay(ports, webhook, order),
});

export type WebhookCommands = ReturnType<typeof createWebhookCommands>;
export { defaultWebhookLimits } from './ports.ts';
export type { EventRange, ForecastCount, WebhookLimits, WebhookPorts } from './ports.ts';
export type { OwnedDelivery } from './find.ts';
export type { NewWebhook, RegisteredWebhook } from './register.ts';
export type { ReplayedDelivery, ReplayOrder, RequestedReplay } from '../webhook-replay/index.ts';
export type { RequestedTest } from './request-test.ts';
export type { RotatedSecret } from './secrets.ts';
export type { ExistingWebhook };

/** What is undefined stays. */
export interface WebhookChanges {
  readonly events: readonly SubscribableEventType[] | undefined;
  readonly description: string | null | undefined;
}

interface ChangedWebhook {
  readonly webhook: ExistingWebhook;
  readonly position: Position | undefined;
}

async function change(
  { runner, clock }: WebhookPorts,
  { webhookId }: ExistingWebhook,
  { events, description }: WebhookChanges,
  context: CommandContext,
): Promise<ChangedWebhook> {
  const { state, position } = await runner.run(
    webhookEndpoint,
    uuidOf(webhookId),
    { type: 'ChangeWebhook', events, description, at: clock.now().toISOString() },
    stepContext(context, 'change-webhook'),
  );
  return { webhook: present(state), position };
}

/** Idempotent. Killed before it is released, the reservation is reclaimed at the limit. */
async function remove(
  ports: WebhookPorts,
  { webhookId, accountId }: ExistingWebhook,
  context: CommandContext,
): Promise<Position | undefined> {
  const { runner, clock } = ports;
  const deleted = await runner.run(
    webhookEndpoint,
    uuidOf(webhookId),
    { type: 'DeleteWebhook', at: clock.now().toISOString() },
    stepContext(context, 'delete-webhook'),
  );
  const released = await releaseWebhook(ports, accountId, webhookId, context);
  return released.position ?? deleted.position;
}
