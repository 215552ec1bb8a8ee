import type { Logger } from 'pino';
import { v5 as uuidv5 } from 'uuid';
import { parseId, toId, uuidOf, type AccountId, type MailId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { mail, type MailCommand, type MailFacts } from '../../domain/mail.ts';
import type { WebhookNotice } from '../../domain/webhook-endpoint/reactions.ts';
import type { ExistingWebhook } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { MailFailure, type Mailer, type OutgoingMail } from '../../infra/mail/index.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { now, ownedContext, systemContext, type CommandContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';
import { mailText, type FactName } from './templates.ts';

export { mailText } from './templates.ts';

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
export async function queueNotice(ports: NoticePorts, notice: WebhookNotice, context: CommandContext) {
  const { runner, disableAfter } = ports;
  const { webhookId, accountId, template } = notice;
  const { state } = await runner.load(webhookEndpoint, uuidOf(webhookId));
  if (state.status === 'none' || state.status === 'deleted') return;
  const own = factsOf(notice, state, disableAfter);
  if (own === undefined) return;
  const facts: Facts = { webhook_id: webhookId, host: new URL(state.url).host, ...own };
  const mailId = toId('mail', uuidv5('mail', context.commandId));
  const command = { type: 'QueueMail', mailId, accountId, template, facts, at: now(ports) } as const;
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

/** A wake-up is for one attempt, so that the one before it, still under way, does not stand for it. */
export const wakeUpIdOf = (mailId: MailId, attempt: number): string => `${mailId}-${attempt}`;

/** Undefined when it is no wake-up of a mail. */
export const mailOfWakeUp = (id: string): MailId | undefined =>
  parseId('mail', id.slice(0, id.lastIndexOf('-')));

export interface SendPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  readonly vault: Pick<Vault, 'open'>;
  readonly mailer: Mailer;
  /** Milliseconds to wait after a first, second, … failed attempt. */
  readonly backoffMs: readonly number[];
  readonly logger: Logger;
}

/**
 * Makes the attempt of a mail that is due, and records how it ended; does nothing when none is due. A mail is sent at least
 * once: when this process dies, or the event store is away, between the server's acceptance and our record of it, the
 * attempt is made again, and only the mail's message id tells its reader that it is the same one.
 */
export async function sendMail(ports: SendPorts, mailId: MailId): Promise<void> {
  const { runner, clock, mailer, backoffMs, logger } = ports;
  const { state } = await runner.load(mail, uuidOf(mailId));
  if (state.status !== 'queued' || Date.parse(state.dueAt) > clock.now().getTime()) return;
  const attempt = state.attempts + 1;
  const cause = ownedContext(systemContext(`${mailId} ${attempt}`), state.accountId);
  const run = (command: MailCommand) => runner.run(mail, uuidOf(mailId), command, cause);
  const to = await addressOf(ports, state.accountId);
  if (to === undefined) {
    await run({ type: 'AbandonMail', reason: 'account_erased', at: now(ports) });
    return;
  }
  const outgoing = { ...mailText(state.template, state.facts), to, messageId: mailId };
  const failure = await failureOf(mailer, outgoing);
  const error = failure?.reason ?? null;
  if (failure) logger.warn({ mail: mailId, attempt, error, code: failure.code }, 'A mail was not sent.');
  await run({ type: 'RecordMailAttempt', attempt, error, backoffMs, at: now(ports) });
}

/** Undefined once the account is erased, or when it never was. */
async function addressOf({ runner, vault }: SendPorts, accountId: AccountId): Promise<string | undefined> {
  const { state } = await runner.load(account, uuidOf(accountId), { cached: true });
  if (state.status === 'none') return undefined;
  const opened = await vault.open(accountId, 'email', state.sealedEmail);
  return 'text' in opened ? opened.text : undefined;
}

async function failureOf(mailer: Mailer, outgoing: OutgoingMail): Promise<MailFailure | undefined> {
  try {
    await mailer.send(outgoing);
    return undefined;
  } catch (error) {
    if (error instanceof MailFailure) return error;
    throw error;
  }
}
