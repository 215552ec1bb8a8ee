import { uuidOf, type AccountId, type WebhookId } from '../../contracts/ids.ts';
import { accountWebhooks } from '../../domain/account-webhooks.ts';
import type { WebhookEndpoint } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { stepOf } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import { isAbandoned, takeUnderCap } from '../engine/quota.ts';
import type { WebhookPorts } from './ports.ts';

/** Takes a place under the account's cap; when it is full, from endpoints that ended without giving theirs back. */
export async function takePlace(
  ports: WebhookPorts,
  accountId: AccountId,
  webhookId: WebhookId,
  context: CommandContext,
): Promise<void> {
  const { runner, clock, limits } = ports;
  const admit = () =>
    runner.run(
      accountWebhooks,
      uuidOf(accountId),
      {
        type: 'AdmitWebhook',
        accountId,
        webhookId,
        limit: limits.perAccount,
        at: clock.now().toISOString(),
      },
      stepOf(context, 'admit-webhook'),
    );
  await takeUnderCap(clock, admit, () => reclaim(ports, accountId, context));
}

export const givePlaceBack = (
  { runner, clock }: WebhookPorts,
  accountId: AccountId,
  webhookId: WebhookId,
  context: CommandContext,
) =>
  runner.run(
    accountWebhooks,
    uuidOf(accountId),
    { type: 'DismissWebhook', accountId, webhookId, at: clock.now().toISOString() },
    stepOf(context, `dismiss ${webhookId}`),
  );

async function reclaim(ports: WebhookPorts, accountId: AccountId, context: CommandContext): Promise<void> {
  const { runner, clock } = ports;
  const { state } = await runner.load(accountWebhooks, uuidOf(accountId));
  for (const { webhookId, since } of state.places) {
    const { state: webhook } = await runner.load(webhookEndpoint, uuidOf(webhookId));
    if (hasEnded(webhook, since, clock.now())) await givePlaceBack(ports, accountId, webhookId, context);
  }
}

/** A disabled endpoint keeps its place until it is deleted. */
function hasEnded({ status }: WebhookEndpoint, admittedAt: string, now: Date): boolean {
  if (status === 'none') return isAbandoned(admittedAt, now);
  return status === 'deleted';
}
