import { emailEventTypes, type EmailEventType } from '../../contracts/events/email-preferences.ts';
import type { AccountMailTemplate, MailTemplate } from '../../contracts/events/mail.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { mail } from '../../domain/mail.ts';
import { isOptedIn } from '../email-preferences.ts';
import { now, type CommandContext } from '../engine/context.ts';
import type { Runner } from '../engine/runner.ts';
import type { MailToQueue } from './facts.ts';
import { mailIdOf, mailStep, queueMail, type QueuePorts } from './queue.ts';

/** Templates of mails that an account can opt out of. */
export type OptionalTemplate = Extract<AccountMailTemplate, EmailEventType>;

export const isOptional = (template: MailTemplate): template is OptionalTemplate =>
  emailEventTypes.some((type) => type === template);

export interface OptionalMailPorts extends QueuePorts {
  readonly runner: Runner;
}

/**
 * Queues a mail unless the account has opted out of its kind. Either decision is recorded on the mail's stream, so that a
 * repeated reaction does not decide again after a change of the preference.
 */
export async function queueOptionalMail(
  ports: OptionalMailPorts,
  message: MailToQueue & { readonly template: OptionalTemplate },
  context: CommandContext,
): Promise<void> {
  const { runner } = ports;
  const { accountId, template } = message;
  const mailId = mailIdOf(context, template);
  const { state } = await runner.load(mail, uuidOf(mailId), { cached: true });
  if (state.status !== 'none') return;
  if (await isOptedIn(runner, accountId, template)) return queueMail(ports, message, context);
  const command = { type: 'DeclineMail', mailId, accountId, template, at: now(ports) } as const;
  await runner.run(mail, uuidOf(mailId), command, mailStep(context, accountId, mailId), { create: true });
}

/** The context of a mail that an account gets once: the mail's id derives from the account and the template. */
export const oncePerAccount = (context: CommandContext, accountId: AccountId): CommandContext => ({
  ...context,
  commandId: uuidOf(accountId),
});

/** The link to opt out of mails of a kind without a log-in. */
export type UnsubscribeLink = (accountId: AccountId, kind: OptionalTemplate) => string;

/** Undefined for a mail that is always sent. */
export const unsubscribeLinkOf = (
  link: UnsubscribeLink,
  { accountId, template }: { readonly accountId: AccountId | null; readonly template: MailTemplate },
): string | undefined => (accountId !== null && isOptional(template) ? link(accountId, template) : undefined);
