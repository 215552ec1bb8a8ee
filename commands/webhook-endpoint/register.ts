import { toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import type { ExistingWebhook } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { OutboundRefused } from '../../infra/outbound/guard.ts';
import type { WebhookTarget } from '../../infra/webhooks/target.ts';
import { stepContext } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import { present } from './find.ts';
import { reserveWebhook } from './quota.ts';
import type { WebhookPorts } from './ports.ts';
import { issueSecret } from './secrets.ts';

export interface NewWebhook {
  readonly url: string;
  readonly events: readonly SubscribableEventType[];
  readonly description: string | null;
}

/** `secret` is shown once and kept nowhere in clear. */
export interface RegisteredWebhook {
  readonly webhook: ExistingWebhook;
  readonly secret: string;
  readonly position: Position | undefined;
}

/** The quota first, then the endpoint; killed in between, the reservation is reclaimed at the limit. */
export async function registerWebhook(
  ports: WebhookPorts,
  accountId: AccountId,
  { url, events, description }: NewWebhook,
  context: CommandContext,
): Promise<RegisteredWebhook> {
  await assertMayBeCalled(ports.target, url);
  const { commandId: uuid } = stepContext(context, 'webhook');
  const webhookId = toId('webhook', uuid);
  const { text, secret } = await issueSecret(ports, accountId, ports.clock.now(), context);
  await reserveWebhook(ports, accountId, webhookId, context);
  const at = ports.clock.now().toISOString();
  const { state, position } = await ports.runner.run(
    webhookEndpoint,
    uuidOf(webhookId),
    { type: 'RegisterWebhook', webhookId, accountId, url, events, description, secret, at },
    stepContext(context, 'register-webhook'),
    { create: true },
  );
  return { webhook: present(state), secret: text, position };
}

/** The address is judged again at each attempt; here its owner learns at once that nothing would ever be sent to it. */
async function assertMayBeCalled(target: WebhookTarget, url: string): Promise<void> {
  try {
    await target.resolve(url);
  } catch (error) {
    if (error instanceof OutboundRefused) throw invalidUrl('address', error.message);
    if (isLookUpFailure(error))
      throw invalidUrl('unresolved', 'The host of the address does not resolve now.');
    throw error;
  }
}

/** What a resolver fails with. */
const isLookUpFailure = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  /^(ENOTFOUND|ENODATA|ETIMEOUT|EAI_\w+)$/.test(String(error.code));

const invalidUrl = (code: string, message: string) =>
  refuse('validation-failed', message, { errors: [{ path: '/body/url', code, message }] });
