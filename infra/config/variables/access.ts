import { duration, integer, oneOf, standard } from '../kinds.ts';

/** Credentials and retries. */
export const access = {
  KEY_GRACE: standard(duration, '24h', 'How long a rotated API key keeps working.'),
  KEY_CACHE_TTL: standard(
    duration,
    '5s',
    'Maximum age of a cached key or account in a process; revocations invalidate it at once.',
  ),
  ACCESS_TTL: standard(duration, '15m', 'Lifetime of access tokens.'),
  REFRESH_TTL: standard(duration, '30d', 'Lifetime of a web session without a refresh.'),
  DEVICE_CODE_TTL: standard(duration, '10m', 'How long the owner of a device may take to approve it.'),
  STEP_UP_FRESH: standard(duration, '10m', 'How long a second factor counts as fresh.'),
  INVITE_TTL: standard(duration, '7d', 'Lifetime of a team invitation and its link.'),
  IDEMPOTENCY_RETENTION: standard(
    duration,
    '24h',
    'How long a stored answer is replayed for its `Idempotency-Key`.',
  ),
  AUTH_FAILURES: standard(
    integer(1),
    '30',
    'Refused API keys per client address (IPv6: per /64) before it gets 429. Keys in use keep working; a key that a process has not seen recently gets 429 too.',
  ),
  AUTH_FAILURES_WINDOW: standard(
    duration,
    '1m',
    'Time to refill that allowance completely; it refills one by one.',
  ),
  RATE_LIMITS: standard(oneOf('on', 'off'), 'on', '`off` disables rate limits: for load and race tests.'),
} as const;
