import { Type, Timestamp, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, type EventOf } from './catalogue.ts';

const mailId = idSchema('mail');
const attempt = Type.Integer({ minimum: 1 });

export const mailTemplates = [
  'webhook-failing',
  'webhook-disabled',
  'webhook-secret-reminder',
  'webhook-grace-ending',
  'own-key-reminder',
] as const;
export type MailTemplate = (typeof mailTemplates)[number];

/**
 * `mail-<uuid>`: one message to the owner of an account. It holds no address: the account's sealed one is opened when the
 * message is sent. The uuid derives from the event that the message is about.
 */
export const mailEvents = category('mail', {
  MailQueued: closed({
    mailId,
    accountId: idSchema('account'),
    template: oneOf(mailTemplates),
    /** What the template's text names; nothing secret, nothing of a person. */
    facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
    dueAt: Timestamp,
    at: Timestamp,
  }),
  MailSent: closed({ mailId, attempt, at: Timestamp }),
  MailAttemptFailed: closed({
    mailId,
    attempt,
    /** In our own words. */
    error: oneOf(['unreachable', 'refused', 'timeout']),
    /** Null after the last one. */
    nextAttemptAt: nullable(Timestamp),
    at: Timestamp,
  }),
  /** It will not be sent: its attempts are used up, or its recipient's account is erased. */
  MailAbandoned: closed({
    mailId,
    reason: oneOf(['attempts_exhausted', 'account_erased']),
    at: Timestamp,
  }),
});
export type MailEvent = EventOf<typeof mailEvents>;
