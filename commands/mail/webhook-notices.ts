import { v5 as uuidv5 } from 'uuid';
import { dayMs } from '../../contracts/durations.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { WebhookNotice } from '../../domain/webhook-endpoint/reactions.ts';
import type { ExistingWebhook } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { CommandContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';
import type { MailContent } from './facts.ts';
import { queueMail, type QueuePorts } from './queue.ts';

export interface NoticePorts extends QueuePorts {
  readonly runner: Runner;
  /** Number of consecutive failures that disables an endpoint. */
  readonly disableAfter: number;
}

/**
 * Queues the mail to an endpoint's owner, about each number of failures at most once a day (UTC). Not sent if the endpoint was
 * deleted, or the secret rotated, meanwhile.
 */
export async function queueNotice(ports: NoticePorts, notice: WebhookNotice, context: CommandContext) {
  const { webhookId, accountId } = notice;
  const { state } = await ports.runner.load(webhookEndpoint, uuidOf(webhookId));
  if (state.status === 'none' || state.status === 'deleted') return;
  const content = contentOf(notice, state, ports.disableAfter);
  if (content !== undefined) await queueMail(ports, { accountId, ...content }, contextOf(notice, context));
}

/** A receiver that fails and succeeds in turn reaches the same number of failures again and again: the mail's id has the day. */
function contextOf(notice: WebhookNotice, context: CommandContext): CommandContext {
  if (notice.template !== 'webhook-failing') return context;
  const { webhookId, consecutive, at } = notice;
  return { ...context, commandId: uuidv5(`${consecutive} ${at.slice(0, 10)}`, uuidOf(webhookId)) };
}

/** Undefined if it no longer applies. */
function contentOf(
  notice: WebhookNotice,
  { url, secret }: ExistingWebhook,
  disableAfter: number,
): MailContent | undefined {
  const endpoint = { webhook_id: notice.webhookId, host: new URL(url).host };
  switch (notice.template) {
    case 'webhook-failing': {
      const facts = { ...endpoint, failures: notice.consecutive, disabled_after: disableAfter };
      return { template: notice.template, facts };
    }
    case 'webhook-disabled':
      return { template: notice.template, facts: { ...endpoint, failures: notice.consecutive } };
    case 'webhook-secret-reminder': {
      if (secret.secretId !== notice.secretId) return undefined;
      const secret_days = Math.floor((Date.parse(notice.at) - Date.parse(secret.createdAt)) / dayMs);
      const facts = { ...endpoint, secret_since: secret.createdAt.slice(0, 10), secret_days };
      return { template: notice.template, facts };
    }
    case 'webhook-grace-ending':
      return { template: notice.template, facts: { ...endpoint, grace_ends_at: notice.graceEndsAt } };
  }
}
