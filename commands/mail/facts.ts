import {
  mailTemplates,
  subscriberMailTemplates,
  type AccountMailTemplate,
  type MailTemplate,
  type SubscriberMailTemplate,
} from '../../contracts/events/mail.ts';
import type { AccountId, MailId, StatusSubscriptionId } from '../../contracts/ids.ts';

const webhook = ['webhook_id', 'host'] as const;
const invoice = ['invoice_id', 'tier', 'amount', 'period_starts_at', 'period_ends_at'] as const;
const incident = ['title', 'components', 'message'] as const;

/**
 * Facts of each template's text. A `link` works until the mail's `expiresAt`; `owner_email` is the inviting owner's
 * address; `…_since` is a date, `YYYY-MM-DD`; `…_at` is a time, ISO 8601. An `amount` has its currency, such as `9.00
 * USD`.
 */
export const mailFacts = {
  'account-verification': ['link'],
  'password-reset': ['link'],
  'magic-link': ['link'],
  'sign-in-merge': ['link'],
  'sign-in-attempts': [],
  'second-factor-attempts': [],
  'second-factor-removed': [],
  'team-invitation': ['link', 'owner_email', 'role'],
  'team-member-removed': ['membership_id', 'api_keys', 'webhooks', 'outcome'],
  'own-key-reminder': ['secret_since', 'secret_days'],
  'signup-welcome': [],
  'session-success-first': ['session_id'],
  'session-failed-first': ['session_id', 'reason'],
  'tier-changed': ['from', 'to'],
  'webhook-failing': [...webhook, 'failures', 'disabled_after'],
  'webhook-disabled': [...webhook, 'failures'],
  'webhook-secret-reminder': [...webhook, 'secret_since', 'secret_days'],
  'webhook-grace-ending': [...webhook, 'grace_ends_at'],
  'payment-failed': [...invoice, 'next_attempt_at'],
  'billing-receipt': [...invoice, 'paid_at'],
  'billing-renewal-reminder': ['tier', 'renews_at'],
  'deprecation-notice': ['what', 'announced_since', 'sunset_since', 'replacement'],
  'status-confirm': ['link', 'components'],
  'status-subscribed': ['components'],
  'incident-posted': [...incident, 'impact'],
  'incident-update': [...incident, 'status'],
  'incident-resolved': incident,
} as const satisfies Readonly<Record<MailTemplate, readonly string[]>>;

/** Templates of mails with a link, which expires. */
export const linkTemplates: readonly MailTemplate[] = [...mailTemplates, ...subscriberMailTemplates].filter(
  (template) => mailFacts[template].some((fact) => fact === 'link'),
);

/** Secret or personal facts: sealed in the event. */
type SecretFact = 'link' | 'owner_email';

export type FactOf<T extends MailTemplate> = (typeof mailFacts)[T][number];
/** An object with `Key`, unless no name needs it. */
type Needs<Key extends string, Names, Value> = [Names] extends [never]
  ? unknown
  : Readonly<Record<Key, Value>>;

/** Every template of an account's mail with the facts of its text, and the expiry of its link if it has one. */
export type MailContent = {
  [T in AccountMailTemplate]: {
    readonly template: T;
    readonly facts: Readonly<Record<Exclude<FactOf<T>, SecretFact>, string | number>>;
  } & Needs<
    'secrets',
    Extract<FactOf<T>, SecretFact>,
    Readonly<Record<Extract<FactOf<T>, SecretFact>, string>>
  > &
    /** ISO 8601. */
    Needs<'expiresAt', Extract<FactOf<T>, 'link'>, string>;
}[AccountMailTemplate];

export type MailToQueue = MailContent & {
  /** The account of the mail, whose data key seals the secret facts. */
  readonly accountId: AccountId;
  /** The recipient's address, when it is not the account's own; it may be sealed with a key of its own (`withOwnKey`). */
  readonly to?: string;
};

/** The same for mails to subscribers, whose links are made on sending. */
export type SubscriberMailToQueue = {
  [T in SubscriberMailTemplate]: {
    readonly template: T;
    readonly facts: Readonly<Record<Exclude<FactOf<T>, 'link'>, string>>;
  } & Needs<'expiresAt', Extract<FactOf<T>, 'link'>, string>;
}[SubscriberMailTemplate] & {
  readonly subscriptionId: StatusSubscriptionId;
  /** The uuid of the subscriber's stream. */
  readonly subscriber: string;
};

/** A mail with its facts opened, as its template reads it. */
export interface OpenedMail {
  readonly mailId: MailId;
  /** Null: to a subscriber. */
  readonly accountId: AccountId | null;
  readonly template: MailTemplate;
  readonly facts: Readonly<Record<string, string | number>>;
  readonly expiresAt?: string | undefined;
}
