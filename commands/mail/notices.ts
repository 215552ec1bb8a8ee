import { v5 as uuidv5 } from 'uuid';
import { toId, uuidOf } from '../../contracts/ids.ts';
import { mail, type MailFacts } from '../../domain/mail.ts';
import type { WebhookNotice } from '../../domain/webhook-endpoint/reactions.ts';
import type { ExistingWebhook } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { ownedContext, type CommandContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';
import type { FactName } from './templates.ts';

export interface NoticePorts {
  readonly runner: Runner;
  readonly clock: Clock;
  /** So many failed attempts in a row disable an endpoint. */
  readonly disableAfter: number;
}

type Facts = MailFacts & Partial<Record<FactName, string | number>>;

const dayMs = 24 * 3_600_000;

/**
 * Queues the mail that tells an endpoint's owner. Its id derives from the reaction's cause, so a reaction that runs again
 * queues nothing twice. What is about an endpoint that was deleted meanwhile, or a secret that was rotated, is not sent.
 */
export async function queueNotice(
  ports: NoticePorts,
  notice: WebhookNotice,
  context: CommandContext,
): Promise<void> {
  const { runner, clock, disableAfter } = ports;
  const { webhookId, accountId, template } = notice;
  const { state } = await runner.load(webhookEndpoint, uuidOf(webhookId));
  if (state.status === 'none' || state.status === 'deleted') return;
  const own = factsOf(notice, state, disableAfter);
  if (own === undefined) return;
  const facts: Facts = { webhook_id: webhookId, host: new URL(state.url).host, ...own };
  const mailId = toId('mail', uuidv5('mail', context.commandId));
  const at = clock.now().toISOString();
  const command = { type: 'QueueMail', mailId, accountId, template, facts, at } as const;
  await runner.run(mail, uuidOf(mailId), command, ownedContext(context, accountId), { create: true });
}

/** What its template names beyond the endpoint; undefined when there is nothing to tell any more. */
function factsOf(
  notice: WebhookNotice,
  { secret }: ExistingWebhook,
  disableAfter: number,
): Facts | undefined {
  switch (notice.template) {
    case 'webhook-failing':
    case 'webhook-disabled':
      return { failures: notice.consecutive, disabled_after: disableAfter };
    case 'webhook-secret-reminder': {
      if (secret.secretId !== notice.secretId) return undefined;
      const days = Math.floor((Date.parse(notice.at) - Date.parse(secret.createdAt)) / dayMs);
      return { secret_since: secret.createdAt.slice(0, 10), secret_days: days };
    }
    case 'webhook-grace-ending':
      return { grace_ends_at: notice.graceEndsAt };
  }
}
