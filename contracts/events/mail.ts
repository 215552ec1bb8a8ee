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
  'team-member-removed',
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
export type AccountMailTemplate = (typeof mailTemplates)[number];

/** Mails to subscribers of incidents, who need not have an account. */
export const subscriberMailTemplates = [
  'status-confirm',
  'status-subscribed',
  'incident-posted',
  'incident-update',
  'incident-resolved',
] as const;
export type SubscriberMailTemplate = (typeof subscriberMailTemplates)[number];
export type MailTemplate = AccountMailTemplate | SubscriberMailTemplate;

/**
 * `mail-<uuid>`: one message to the owner of an account, to an address that is no account yet, or to a subscriber of the public
 * status. The uuid derives from the command that queues it and the template.
 */
export const mailEvents = category(
  'mail',
  {
    MailQueued: closed({
      mailId,
      /** Its data key seals what is sealed here. */
      accountId: idSchema('account'),
      template: oneOf(mailTemplates),
      /** What the template's text names; nothing secret. */
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
    /** A mail about the public status. Its links derive from the subscription; the address is the subscription's. */
    SubscriberMailQueued: closed({
      mailId,
      subscriptionId: idSchema('statusSubscription'),
      /** The uuid of the subscriber's stream. */
      subscriber: Type.String({ format: 'uuid' }),
      template: oneOf(subscriberMailTemplates),
      /** What the template's text names; all of it is public. */
      facts: Type.Record(Type.String(), Type.String()),
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
    /** It will not be sent. `expired`: its link has. `opted_out`: the reader does not want mails of its kind any more. */
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
  { versions: { MailQueued: 2, MailAbandoned: 2 }, personal: { MailQueued: { facts: {} } } },
);
export type MailEvent = EventOf<typeof mailEvents>;
