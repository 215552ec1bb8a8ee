import { dayMs } from '../../contracts/durations.ts';
import { parseId, toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { envelopeIdOf } from '../../contracts/webhooks/envelope.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import { webhookDelivery } from '../../domain/webhook-delivery/webhook-delivery.ts';
import type { ExistingWebhook, SealedSecret } from '../../domain/webhook-endpoint/state.ts';
import {
  present,
  webhookEndpoint,
  type WebhookEndpointCommand,
} from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { deliveryIdOf } from '../../domain/webhook-event/webhook-event.ts';
import { after } from '../../domain/kit/time.ts';
import { OutboundRefused } from '../../infra/outbound/guard.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { secretField } from '../../infra/webhooks/signature.ts';
import type { WebhookTarget } from '../../infra/webhooks/target.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import { now, ownedContext, ownedStep, type CommandContext } from '../engine/context.ts';
import { findOwned } from '../engine/find-owned.ts';
import { release, reserve } from '../engine/reservations.ts';
import { eventIdOf } from '../engine/recording.ts';
import {
  cancelReplay,
  forecastReplay,
  replayDelivery,
  requestReplay,
  type OwnedDelivery,
  type ReplayPorts,
} from '../webhook-replay/index.ts';
import { webhookQuota } from './reservations.ts';

export type { ForecastCount, ReplayOrder, RequestedReplay } from '../webhook-replay/index.ts';
export type { ExistingWebhook };

export interface WebhookLimits {
  /** Maximum endpoints of an account. */
  readonly perAccount: number;
  /** Grace period of a rotated secret, ms. */
  readonly secretGraceMs: number;
  /** Age of a secret at which its owner is reminded to rotate it, in ms. */
  readonly secretReminderMs: number;
}

export interface WebhookPorts extends ReplayPorts {
  readonly vault: Pick<Vault, 'seal'>;
  readonly newSecret: () => string;
  readonly target: WebhookTarget;
  readonly limits: WebhookLimits;
}

/** Customers' commands on their endpoints. Positions are undefined if nothing changed. */
export const createWebhookCommands = (ports: WebhookPorts) =>
  bindPorts(ports, {
    find,
    findEvenDeleted,
    findDelivery,
    register,
    change,
    delete: remove,
    rotateSecret,
    requestTest,
    replayDelivery,
    requestReplay,
    cancelReplay,
    forecastReplay,
  });

export type WebhookCommands = ReturnType<typeof createWebhookCommands>;

/** Throws `not-found` for a missing and for a deleted endpoint. */
const find = async (ports: WebhookPorts, accountId: AccountId, id: string): Promise<ExistingWebhook> =>
  present(await findEvenDeleted(ports, accountId, id));

/** The same, but finds a deleted endpoint too, so that a repeated delete changes nothing and succeeds. */
const findEvenDeleted = (
  { runner }: WebhookPorts,
  accountId: AccountId,
  id: string,
): Promise<ExistingWebhook> => findOwned(runner, webhookEndpoint, 'webhook', accountId, id);

/** Throws `not-found` also for a delivery whose endpoint is deleted. */
async function findDelivery(ports: WebhookPorts, accountId: AccountId, id: string): Promise<OwnedDelivery> {
  const delivery = await findOwned(ports.runner, webhookDelivery, 'webhookDelivery', accountId, id);
  return { delivery, webhook: await find(ports, accountId, delivery.webhookId) };
}

const run = (
  { runner }: WebhookPorts,
  { webhookId, accountId }: ExistingWebhook,
  command: WebhookEndpointCommand,
  context: CommandContext,
  step: string,
) => runner.run(webhookEndpoint, uuidOf(webhookId), command, ownedStep(context, accountId, step));

interface NewWebhook {
  readonly url: string;
  readonly events: readonly SubscribableEventType[];
  readonly description: string | null;
}

/**
 * Reserves the quota, then creates the endpoint; after a crash in between, the reservation is reclaimed at the limit. The
 * `secret` is shown once and stored only sealed.
 */
async function register(
  ports: WebhookPorts,
  accountId: AccountId,
  { url, events, description }: NewWebhook,
  context: CommandContext,
) {
  await assertMayBeCalled(ports.target, url);
  const webhookId = toId('webhook', ownedStep(context, accountId, 'webhook').commandId);
  const { text, secret } = await issueSecret(ports, accountId, now(ports), context);
  const share = { accountId, id: webhookId, name: null, limit: ports.limits.perAccount };
  await reserve(webhookQuota(ports), share, ownedContext(context, accountId));
  const facts = { webhookId, accountId, url, events, description, secret };
  const command = { type: 'RegisterWebhook', ...facts, at: now(ports) } as const;
  const step = ownedStep(context, accountId, 'register-webhook');
  const created = await ports.runner.run(webhookEndpoint, uuidOf(webhookId), command, step, { create: true });
  const { state, position } = created;
  return { webhook: present(state), secret: text, position };
}

/** Refuses an address to which nothing may be sent, so that the owner learns it at once. Each attempt checks again. */
async function assertMayBeCalled(target: WebhookTarget, url: string): Promise<void> {
  try {
    await target.resolve(url);
  } catch (error) {
    if (error instanceof OutboundRefused) throw invalidUrl('address', error.message);
    if (isLookUpFailure(error))
      throw invalidUrl(
        'unresolved',
        'The host of the URL does not resolve. Check its name, or try again later.',
      );
    throw error;
  }
}

/** The errors of a resolver. */
const isLookUpFailure = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(ENOTFOUND|ENODATA|ETIMEOUT|EAI_\w+)$/.test(String(error.code));

const invalidUrl = (code: string, message: string) =>
  refuse('validation-failed', message, { errors: [{ path: '/body/url', code, message }] });

/** Undefined fields stay as they are. */
interface WebhookChanges {
  readonly events: readonly SubscribableEventType[] | undefined;
  readonly description: string | null | undefined;
}

async function change(
  ports: WebhookPorts,
  webhook: ExistingWebhook,
  { events, description }: WebhookChanges,
  context: CommandContext,
) {
  const command = { type: 'ChangeWebhook', events, description, at: now(ports) } as const;
  const { state, position } = await run(ports, webhook, command, context, 'change-webhook');
  return { webhook: present(state), position };
}

/** Idempotent. After a crash before the release, the reservation is reclaimed at the limit. */
async function remove(ports: WebhookPorts, webhook: ExistingWebhook, context: CommandContext) {
  const command = { type: 'DeleteWebhook', at: now(ports) } as const;
  const deleted = await run(ports, webhook, command, context, 'delete-webhook');
  const { accountId, webhookId } = webhook;
  const share = { accountId, id: webhookId, name: null };
  const released = await release(webhookQuota(ports), share, ownedContext(context, accountId));
  return released.position ?? deleted.position;
}

/** Creates a secret and seals it for this account under its own id. Its text is shown once. */
async function issueSecret(
  { vault, newSecret, limits }: WebhookPorts,
  accountId: AccountId,
  at: string,
  context: CommandContext,
): Promise<{ readonly text: string; readonly secret: SealedSecret }> {
  const { commandId: secretId } = ownedStep(context, accountId, 'secret');
  const text = newSecret();
  const sealed = await vault.seal(accountId, secretField(secretId), text);
  return { text, secret: { secretId, sealed, remindAt: after(at, limits.secretReminderMs) } };
}

/** Rotates the secret. Both sign until the grace period of the old one ends; the owner gets a mail on its last day. */
async function rotateSecret(ports: WebhookPorts, webhook: ExistingWebhook, context: CommandContext) {
  const at = now(ports);
  const { secretGraceMs } = ports.limits;
  const { text, secret } = await issueSecret(ports, webhook.accountId, at, context);
  const graceEndsAt = after(at, secretGraceMs);
  const graceNoticeAt = after(at, Math.max(0, secretGraceMs - dayMs));
  const command = { type: 'RotateSecret', secret, graceEndsAt, graceNoticeAt, at } as const;
  const { position } = await run(ports, webhook, command, context, 'rotate-secret');
  return { secret: text, previousExpiresAt: graceEndsAt, position };
}

/**
 * Requests one `test.ping`, regardless of the endpoint's subscription. Returns the ids that the event and its delivery will have
 * once the fan-out has made them.
 */
async function requestTest(ports: WebhookPorts, webhook: ExistingWebhook, context: CommandContext) {
  const { webhookId, accountId } = webhook;
  const step = 'request-test';
  const { commandId } = ownedStep(context, accountId, step);
  const triggeredBy = parseId('account', context.actor.actor_account_id ?? '') ?? accountId;
  const command = { type: 'RequestTest', testId: commandId, triggeredBy, at: now(ports) } as const;
  const { position } = await run(ports, webhook, command, context, step);
  const eventId = envelopeIdOf(eventIdOf({ commandId }, 0, 'WebhookTestRequested'));
  return { eventId, deliveryId: deliveryIdOf(eventId, webhookId, `test ${commandId}`), position };
}
