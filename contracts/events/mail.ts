import { Type, Timestamp, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, type EventOf } from './catalogue.ts';

const mailId = idSchema('mail');
const attempt = Type.Integer({ minimum: 1 });

/** Kinds of mails, named alike in the outbox, in the sent message's header and in the operator's commands. */
export const mailTemplates = [
  'account-verification',
  'password-reset',
  'magic-link',
  'sign-in-merge',
  'sign-in-attempts',
  'second-factor-attempts',
  'second-factor-removed',
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

/** Mails to subscribers of incidents, who may have no account. */
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
 * `mail-<uuid>`: one message to an account's owner, to an address without an account yet, or to a subscriber of the public
 * status. The uuid derives from the queueing command and the template.
 */
export const mailEvents = category(
  'mail',
  {
    MailQueued: closed({
      mailId,
      /** The account whose data key seals. */
      accountId: idSchema('account'),
      template: oneOf(mailTemplates),
      /** Facts of the template's text; nothing secret. */
      facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
      /** Secret and personal facts: a JSON object of strings. */
      sealedSecrets: Type.Optional(Type.String()),
      /** The recipient's address, unless it is the account's own. */
      sealedTo: Type.Optional(Type.String()),
      /** When the mail's link expires: it is not sent after that. */
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
      /** Facts of the template's text; all public. */
      facts: Type.Record(Type.String(), Type.String()),
      /** When the mail's link expires: it is not sent after that. */
      expiresAt: Type.Optional(Timestamp),
      dueAt: Timestamp,
      at: Timestamp,
    }),
    MailSent: closed({ mailId, attempt, at: Timestamp }),
    MailAttemptFailed: closed({
      mailId,
      attempt,
      /** A text of the service. */
      error: oneOf(['unreachable', 'refused', 'timeout']),
      /** Null after the last attempt. */
      nextAttemptAt: nullable(Timestamp),
      at: Timestamp,
    }),
    /** It will not be sent. `expired`: its link has. `opted_out`: the recipient opted out since. */
    MailAbandoned: closed({
      mailId,
      reason: oneOf(['attempts_exhausted', 'account_erased', 'expired', 'opted_out']),
      at: Timestamp,
    }),
    /**
     * Instead of `MailQueued`: the account had opted out of mails of this kind. A mail that is sent once per account is not sent
     * on a later occasion either.
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
