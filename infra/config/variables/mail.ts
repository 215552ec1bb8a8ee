import { baseUrl, duration, durations, mailAddress, optional, secretUrl, standard } from '../kinds.ts';

/** Mail to the owners of accounts. */
export const mail = {
  SMTP_URL: optional(
    secretUrl('smtp', 'smtps'),
    'The mail server, such as `smtps://user:password@mail.example.com`; `smtp://` uses STARTTLS if the server ' +
      'offers it, and requires it with a password. Without it mails stay in the outbox (`service mail list`).',
  ),
  MAIL_FROM: optional(mailAddress, 'Sender of mails; required with `SMTP_URL`.'),
  MAIL_TIMEOUT: standard(duration, '30s', 'Total timeout of an attempt to send a mail.'),
  MAIL_BACKOFF: standard(
    durations,
    '30s,1m,2m,5m,10m,20m,40m,1h,2h,4h,8h,16h,24h',
    'Back-off after the first, second, … failed attempt to send a mail; the attempt after the last wait is the last. ' +
      'A mail whose link expires earlier is abandoned then.',
  ),
  CONSOLE_URL: optional(
    baseUrl,
    'Base URL of links in mails, such as `{CONSOLE_URL}/verify?token=…`; default: `{BASE_URL}/console`.',
  ),
} as const;
