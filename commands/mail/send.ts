import type { Logger } from 'pino';
import { parseId, uuidOf, type MailId } from '../../contracts/ids.ts';
import { isExpired, isOfSubscriber, mail, type MailCommand, type QueuedMail } from '../../domain/mail.ts';
import { MailFailure, type Mailer, type OutgoingMail } from '../../infra/mail/index.ts';
import { following, inSpan } from '../../infra/tracing/index.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { now, ownedContext, timerContext, type CausingEvent } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { isOptedIn } from '../email-preferences.ts';
import type { OpenedMail } from './facts.ts';
import type { SubscriberLink } from './links.ts';
import { isOptional, unsubscribeLinkOf, type UnsubscribeLink } from './optional.ts';
import { renderMail } from './render.ts';
import { openMail, recipientOf } from './sealing.ts';

/**
 * Id of an attempt's wake-up. It differs for each attempt, so that the running wake-up of the previous one does not deduplicate
 * it.
 */
export const wakeUpIdOf = (mailId: MailId, attempt: number): string => `${mailId}-${attempt}`;

/** The mail of a wake-up; undefined for any other id. */
export const mailOfWakeUp = (id: string): MailId | undefined =>
  parseId('mail', id.slice(0, id.lastIndexOf('-')));

export interface SendPorts extends CommandPorts {
  readonly vault: Pick<Vault, 'open'>;
  readonly mailer: Mailer;
  readonly unsubscribeLink: UnsubscribeLink;
  readonly subscriberLink: SubscriberLink;
  /** Waits after the first, second, … failed attempt, in milliseconds. */
  readonly backoffMs: readonly number[];
  readonly logger: Logger;
}

/**
 * Attempts a due mail, and records the outcome; does nothing if it is not due. At-least-once: if this process dies, or the event
 * store is down, between the server's acceptance and our record, the attempt is repeated, and only the message id identifies the
 * copies.
 */
export async function sendMail(ports: SendPorts, mailId: MailId): Promise<void> {
  const { runner, clock } = ports;
  const { state, last } = await runner.load(mail, uuidOf(mailId));
  if (state.status !== 'queued' || Date.parse(state.dueAt) > clock.now().getTime()) return;
  const span = { name: 'deliver mail', kind: 'consumer' } as const;
  await following([last?.metadata.traceparent], span, () => attemptOf(ports, mailId, state, last));
}

async function attemptOf(
  ports: SendPorts,
  mailId: MailId,
  state: QueuedMail,
  last: CausingEvent | null,
): Promise<void> {
  const { runner, mailer, backoffMs, logger } = ports;
  const attempt = state.attempts + 1;
  const system = timerContext(`${mailId} ${attempt}`, 'timer:mail-attempt', last);
  const cause = isOfSubscriber(state) ? system : ownedContext(system, state.accountId);
  const run = (command: MailCommand) => runner.run(mail, uuidOf(mailId), command, cause);
  const message = await messageOf(ports, state);
  if (typeof message === 'string') {
    await run({ type: 'AbandonMail', reason: message, at: now(ports) });
    return;
  }
  const failure = await failureOf(mailer, message);
  const error = failure?.reason ?? null;
  if (failure) logger.warn({ mail: mailId, attempt, error, code: failure.code }, 'A mail was not sent.');
  await run({ type: 'RecordMailAttempt', attempt, error, backoffMs, at: now(ports) });
}

type Obstacle = Extract<MailCommand, { type: 'AbandonMail' }>['reason'];

/** The message to send, or why it is no longer sent. */
async function messageOf(ports: SendPorts, queued: QueuedMail): Promise<OutgoingMail | Obstacle> {
  if (isExpired(queued, now(ports))) return 'expired';
  if (await isOptedOut(ports, queued)) return 'opted_out';
  const [opened, to] = await Promise.all([openMail(ports, queued), recipientOf(ports, queued)]);
  if (opened === undefined || to === null) return obstacleOf(queued, opened);
  const unsubscribe = isOfSubscriber(queued)
    ? ports.subscriberLink('unsubscribe', queued)
    : unsubscribeLinkOf(ports.unsubscribeLink, queued);
  return { ...renderMail(opened, { unsubscribe }), to, messageId: queued.mailId };
}

/** The link of an invitation whose address is erased no longer works: it was accepted or withdrawn. */
function obstacleOf(queued: QueuedMail, opened: OpenedMail | undefined): Obstacle {
  if (isOfSubscriber(queued)) return 'opted_out';
  return opened !== undefined && queued.sealedTo !== undefined ? 'expired' : 'account_erased';
}

const isOptedOut = async ({ runner }: Pick<SendPorts, 'runner'>, queued: QueuedMail): Promise<boolean> =>
  !isOfSubscriber(queued) &&
  isOptional(queued.template) &&
  !(await isOptedIn(runner, queued.accountId, queued.template));

async function failureOf(mailer: Mailer, outgoing: OutgoingMail): Promise<MailFailure | undefined> {
  const { template } = outgoing;
  try {
    await inSpan(
      { name: 'send mail', kind: 'client', attributes: { 'service.mail.template': template } },
      () => mailer.send(outgoing),
    );
    return undefined;
  } catch (error) {
    if (error instanceof MailFailure) return error;
    throw error;
  }
}
