import { duration, durations, mailAddress, optional, secretUrl, standard, url } from '../kinds.ts';

/** Mail to the owners of accounts. */
export const mail = {
  SMTP_URL: optional(
    secretUrl('smtp', 'smtps'),
    'The server that takes mail, such as `smtps://user:password@mail.example.com`; `smtp://` turns to TLS when the server ' +
      'offers it, and must when a password is given. Mails are kept in the outbox when unset (`service mail list`).',
  ),
  MAIL_FROM: optional(mailAddress, 'Whom mail is from; needed with `SMTP_URL`.'),
  MAIL_TIMEOUT: standard(duration, '30s', 'What an attempt to send a mail may take in total.'),
  MAIL_BACKOFF: standard(
    durations,
    '30s,1m,2m,5m,10m,20m,40m,1h,2h,4h,8h,16h,24h',
    'The pause after a first, second, … failed attempt to send a mail; after the last of them one more is made. ' +
      'A mail whose link expires before that is given up earlier.',
  ),
  CONSOLE_URL: optional(
    url('http', 'https'),
    'Links in mails start with it, such as `{CONSOLE_URL}/verify?token=…`; `{BASE_URL}/console` when unset.',
  ),
} as const;
