import { uuidOf, type AccountId, type WebhookId } from '../../contracts/ids.ts';
import { accountWebhooks } from '../../domain/account-webhooks.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { stepContext } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import { reserveQuota } from '../engine/quota.ts';
import type { WebhookPorts } from './ports.ts';

/** Reserves the account's quota for an endpoint. A disabled endpoint keeps its reservation until it is deleted. */
export const reserveWebhook = (
  ports: WebhookPorts,
  accountId: AccountId,
  id: WebhookId,
  context: CommandContext,
): Promise<void> => {
  const { runner, clock, limits } = ports;
  const share = { accountId, id, name: null, limit: limits.perAccount };
  return reserveQuota({
    clock,
    reserve: () =>
      runner.run(
        accountWebhooks,
        uuidOf(accountId),
        { type: 'Reserve', ...share, at: clock.now().toISOString() },
        stepContext(context, 'admit-webhook'),
      ),
    release: (each: WebhookId) => releaseWebhook(ports, accountId, each, context),
    reservations: async () => (await runner.load(accountWebhooks, uuidOf(accountId))).state.reservations,
    resource: (each) => runner.load(webhookEndpoint, uuidOf(each)),
    hasEnded: ({ status }) => status === 'deleted',
  });
};

export const releaseWebhook = (
  { runner, clock }: WebhookPorts,
  accountId: AccountId,
  id: WebhookId,
  context: CommandContext,
) =>
  runner.run(
    accountWebhooks,
    uuidOf(accountId),
    { type: 'Release', accountId, id, name: null, at: clock.now().toISOString() },
    stepContext(context, `dismiss ${id}`),
  );
