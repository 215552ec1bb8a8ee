import { duration, durations, integer, share, standard } from '../kinds.ts';

/** Endpoints of customers, and what is sent to them. */
export const webhooks = {
  WEBHOOKS_PER_ACCOUNT: standard(integer(1, 1000), '20', 'Webhook endpoints an account may have.'),
  WEBHOOK_SECRET_GRACE: standard(
    duration,
    '24h',
    'How long the signing secret before a rotation goes on signing beside the new one.',
  ),
  WEBHOOK_SECRET_REMINDER: standard(
    duration,
    '60d',
    'The age of a signing secret at which its owner is reminded to rotate it.',
  ),
  WEBHOOK_BACKOFF: standard(
    durations,
    '1m,5m,15m,30m,60m',
    'The pause after a first, second, … failed attempt; after the last of them one more is made, then the delivery is a dead letter.',
  ),
  WEBHOOK_JITTER: standard(
    share,
    '0.1',
    'The most by which a pause is longer than that, as a share of it; it is never shorter.',
  ),
  WEBHOOK_TIMEOUT: standard(duration, '10s', 'What an attempt may take in total.'),
  WEBHOOK_DISABLE_AFTER: standard(
    integer(1, 1000),
    '50',
    'So many failed attempts in a row disable an endpoint for good.',
  ),
  WEBHOOK_CONCURRENCY: standard(
    integer(1, 10_000),
    '512',
    'Attempts each worker makes at once, to all endpoints together.',
  ),
  WEBHOOK_SLOTS: standard(
    integer(1, 1000),
    '10',
    'Attempts each worker makes at once to one endpoint; 2 while the endpoint fails or does not answer.',
  ),
} as const;
