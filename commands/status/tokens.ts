import { uuidOf, type StatusSubscriptionId } from '../../contracts/ids.ts';
import type { OneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import type { SubscriberPage } from '../mail/links.ts';

const claimOf = (page: SubscriberPage, subject: string, subscriptionId: StatusSubscriptionId) => ({
  purpose: `status ${page}`,
  subject,
  nonce: uuidOf(subscriptionId),
});

/** Tokens in mails to subscribers, each for one page and one subscription. None is stored. */
export const subscriberTokens = (tokens: OneTimeTokens) => ({
  textOf: (page: SubscriberPage, subscriber: string, subscriptionId: StatusSubscriptionId): string =>
    tokens.textOf(claimOf(page, subscriber, subscriptionId)),
  /** The uuid of the subscriber's stream; undefined for an invalid token. */
  subscriberOf: (text: string): string | undefined => tokens.subjectOf(text),
  /** The subscription, of these, that the token is for. */
  find: (
    page: SubscriberPage,
    text: string,
    subscriber: string,
    among: readonly StatusSubscriptionId[],
  ): StatusSubscriptionId | undefined =>
    among.find((id) => tokens.matches(text, claimOf(page, subscriber, id))),
});
