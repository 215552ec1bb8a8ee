import { duration, durations, mailAddress, optional, secretUrl, standard } from '../kinds.ts';

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
    '1m,5m,30m,2h,12h',
    'The pause after a first, second, … failed attempt to send a mail; after the last of them one more is made.',
  ),
} as const;
