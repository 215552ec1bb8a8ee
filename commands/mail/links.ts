import type { SubscriberMail } from '../../domain/mail.ts';

/** Console pages that mails link to. */
export type ConsolePage = 'verify' | 'reset' | 'magic' | 'invite' | 'merge';

export type ConsoleLink = (page: ConsolePage, token: string) => string;

/** Makes links to console pages under this base URL, which has no final slash and may have a path. */
export const consoleLinks =
  (consoleUrl: string): ConsoleLink =>
  (page, token) =>
    `${consoleUrl}/${page}?token=${encodeURIComponent(token)}`;

/** Path of the link to opt out of mails of a kind. */
export const unsubscribePath = '/v1/email/unsubscribe';

/** The links by which a subscriber confirms and unsubscribes. */
export const subscriberPaths = {
  confirm: '/v1/status/subscribe/confirm',
  unsubscribe: '/v1/status/subscribe/unsubscribe',
} as const;
export type SubscriberPage = keyof typeof subscriberPaths;

export type SubscriberLink = (
  page: SubscriberPage,
  subscription: Pick<SubscriberMail, 'subscriber' | 'subscriptionId'>,
) => string;
