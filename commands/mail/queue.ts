import { v5 as uuidv5 } from 'uuid';
import type { MailTemplate } from '../../contracts/events/mail.ts';
import { toId, uuidOf, type AccountId, type MailId } from '../../contracts/ids.ts';
import { mail } from '../../domain/mail.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { AccountErased, type Vault } from '../../infra/vault/index.ts';
import { now, ownedContext, type CommandContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';
import type { MailToQueue, SubscriberMailToQueue } from './facts.ts';
import { sealMail } from './sealing.ts';

export interface QueuePorts {
  readonly runner: Pick<Runner, 'run'>;
  readonly clock: Clock;
  readonly vault: Pick<Vault, 'seal'>;
}

/** The id of the mail that a command queues from a template; a repeated command derives the same one. */
export const mailIdOf = ({ commandId }: Pick<CommandContext, 'commandId'>, template: MailTemplate): MailId =>
  toId('mail', uuidv5(`mail ${template}`, commandId));

/**
 * Queues a mail to the account's owner, or to `to`. Its id derives from the command and the template, so a repeated command
 * queues nothing twice. Does nothing once the account is erased: the facts could not be sealed.
 */
export async function queueMail(
  ports: QueuePorts,
  message: MailToQueue,
  context: CommandContext,
): Promise<void> {
  const mailId = mailIdOf(context, message.template);
  const { accountId, template, facts } = message;
  const sealed = await sealMail(ports.vault, mailId, message).catch(erasedIsNothing);
  if (sealed === undefined) return;
  const expiry = 'expiresAt' in message ? { expiresAt: message.expiresAt } : {};
  const content = { mailId, accountId, template, facts, ...sealed, ...expiry };
  const command = { type: 'QueueMail', ...content, at: now(ports) } as const;
  const step = mailStep(context, accountId, mailId);
  await ports.runner.run(mail, uuidOf(mailId), command, step, { create: true });
}

/** The same to a subscriber of the public status. */
export async function queueSubscriberMail(
  ports: Pick<QueuePorts, 'runner' | 'clock'>,
  message: SubscriberMailToQueue,
  context: CommandContext,
): Promise<void> {
  const mailId = mailIdOf(context, message.template);
  const command = { type: 'QueueSubscriberMail', mailId, ...message, at: now(ports) } as const;
  const step = { ...context, commandId: uuidOf(mailId) };
  await ports.runner.run(mail, uuidOf(mailId), command, step, { create: true });
}

/** Event ids derive from the command's id, and the caller's own command appends to another stream. */
export const mailStep = (context: CommandContext, accountId: AccountId, mailId: MailId): CommandContext => ({
  ...ownedContext(context, accountId),
  commandId: uuidOf(mailId),
});

function erasedIsNothing(error: unknown): undefined {
  if (!(error instanceof AccountErased)) throw error;
}
