import type { Logger } from 'pino';
import { uuidOf, type AccountId, type MailId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { mail } from '../../domain/mail.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { MailFailure, type Mailer, type OutgoingMail } from '../../infra/mail/index.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { ownedContext, systemContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';
import { mailText } from './templates.ts';

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
  const now = (): string => clock.now().toISOString();
  const { state } = await runner.load(mail, uuidOf(mailId));
  if (state.status !== 'queued' || Date.parse(state.dueAt) > clock.now().getTime()) return;
  const attempt = state.attempts + 1;
  const cause = ownedContext(systemContext(`${mailId} ${attempt}`), state.accountId);
  const to = await addressOf(ports, state.accountId);
  if (to === undefined) {
    const command = { type: 'AbandonMail', reason: 'account_erased', at: now() } as const;
    await runner.run(mail, uuidOf(mailId), command, cause);
    return;
  }
  const outgoing = { ...mailText(state.template, state.facts), to, messageId: mailId };
  const failure = await failureOf(mailer, outgoing);
  const error = failure?.reason ?? null;
  if (failure) logger.warn({ mail: mailId, attempt, error, code: failure.code }, 'A mail was not sent.');
  const command = { type: 'RecordMailAttempt', attempt, error, backoffMs, at: now() } as const;
  await runner.run(mail, uuidOf(mailId), command, cause);
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
