/** Pages that mails link to. */
export type ConsolePage = 'verify' | 'reset' | 'magic' | 'invite' | 'merge';

export type ConsoleLink = (page: ConsolePage, token: string) => string;

/** Makes links into the console at this address, whatever path it has. */
export const consoleLinks =
  (consoleUrl: string): ConsoleLink =>
  (page, token) =>
    `${consoleUrl.replace(/\/+$/, '')}/${page}?token=${encodeURIComponent(token)}`;

/** Where a mail's reader opts out of mails of its kind. */
export const unsubscribePath = '/v1/email/unsubscribe';
