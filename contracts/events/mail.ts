import { Type, Timestamp, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, type EventOf } from './catalogue.ts';

const mailId = idSchema('mail');
const attempt = Type.Integer({ minimum: 1 });

/** What a mail is about. The same name stands in the outbox, in the header of the sent message and in the operator's commands. */
export const mailTemplates = [
  'account-verification',
  'password-reset',
  'magic-link',
  'sign-in-merge',
  'sign-in-attempts',
  'team-invitation',
  'own-key-reminder',
  'signup-welcome',
  'session-success-first',
  'session-failed-first',
  'tier-changed',
  'webhook-failing',
  'webhook-disabled',
  'webhook-secret-reminder',
  'webhook-grace-ending',
  'payment-failed',
  'billing-receipt',
  'billing-renewal-reminder',
  'deprecation-notice',
] as const;
export type MailTemplate = (typeof mailTemplates)[number];

/**
 * `mail-<uuid>`: one message to the owner of an account, or to an address that is no account yet. The uuid derives from the
 * command that queues it and the template.
 */
export const mailEvents = category(
  'mail',
  {
    MailQueued: closed({
      mailId,
      /** Its data key seals what is sealed here. */
      accountId: idSchema('account'),
      template: oneOf(mailTemplates),
      /** What the template's text names; nothing secret, nothing of a person. */
      facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
      /** More facts, those that are secret or of a person: a JSON object of strings. */
      sealedSecrets: Type.Optional(Type.String()),
      /** The recipient's address where that is not the account's own. */
      sealedTo: Type.Optional(Type.String()),
      /** When the mail's link stops working: it is not sent from then on. */
      expiresAt: Type.Optional(Timestamp),
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
    /** It will not be sent. `expired`: its link has. `opted_out`: the account does not want mails of its kind any more. */
    MailAbandoned: closed({
      mailId,
      reason: oneOf(['attempts_exhausted', 'account_erased', 'expired', 'opted_out']),
      at: Timestamp,
    }),
    /**
     * Instead of `MailQueued`: the account had opted out of mails of this kind when there was an occasion for one. A mail
     * that is sent once per account is not sent at a later occasion either.
     */
    MailDeclined: closed({
      mailId,
      accountId: idSchema('account'),
      template: oneOf(mailTemplates),
      at: Timestamp,
    }),
  },
  { versions: { MailQueued: 2, MailAbandoned: 2 } },
);
export type MailEvent = EventOf<typeof mailEvents>;
