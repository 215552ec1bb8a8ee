/** Pages that mails link to. */
export type ConsolePage = 'verify' | 'reset' | 'magic' | 'invite' | 'merge';

export type ConsoleLink = (page: ConsolePage, token: string) => string;

/** Makes links into the console at this address, whatever path it has. */
export const consoleLinks =
  (consoleUrl: string): ConsoleLink =>
  (page, token) =>
    `${consoleUrl.replace(/\/+$/, '')}/${page}?token=${encodeURIComponent(token)}`;
