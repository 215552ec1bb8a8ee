import { duration, durations, integer, share, standard } from '../kinds.ts';

/** Customers' endpoints, and deliveries to them. */
export const webhooks = {
  WEBHOOKS_PER_ACCOUNT: standard(integer(1, 1000), '20', 'Maximum webhook endpoints of an account.'),
  WEBHOOK_SECRET_GRACE: standard(
    duration,
    '24h',
    'Grace period of a rotated signing secret, during which both secrets sign.',
  ),
  WEBHOOK_SECRET_REMINDER: standard(
    duration,
    '60d',
    'The age of a signing secret at which its owner is reminded to rotate it.',
  ),
  WEBHOOK_BACKOFF: standard(
    durations,
    '1m,5m,15m,30m,60m',
    'Back-off after the first, second, … failed attempt; if the attempt after the last wait fails too, the delivery is a dead letter.',
  ),
  WEBHOOK_JITTER: standard(share, '0.1', 'Maximum jitter, as a share of the back-off; it only lengthens it.'),
  WEBHOOK_TIMEOUT: standard(duration, '10s', 'Total timeout of an attempt.'),
  WEBHOOK_DISABLE_AFTER: standard(
    integer(1, 1000),
    '50',
    'Number of consecutive failed attempts that permanently disables an endpoint.',
  ),
  WEBHOOK_CONCURRENCY: standard(integer(1, 10_000), '512', 'Maximum concurrent attempts per worker.'),
  WEBHOOK_SLOTS: standard(
    integer(1, 1000),
    '10',
    'Maximum concurrent attempts per worker and endpoint; 2 while the endpoint fails or is unresponsive.',
  ),
} as const;
