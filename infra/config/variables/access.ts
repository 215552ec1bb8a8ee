import { duration, integer, oneOf, standard } from '../kinds.ts';

/** Credentials and retries. */
export const access = {
  KEY_GRACE: standard(duration, '24h', 'How long a rotated API key keeps working.'),
  KEY_CACHE_TTL: standard(
    duration,
    '5s',
    'How long a process believes what it knows of a key or account; a revocation is pushed at once.',
  ),
  ACCESS_TTL: standard(duration, '15m', 'Lifetime of access tokens.'),
  REFRESH_TTL: standard(duration, '30d', 'How long a web session lasts without a refresh.'),
  DEVICE_CODE_TTL: standard(duration, '10m', 'How long the owner of a device may take to approve it.'),
  STEP_UP_FRESH: standard(duration, '10m', 'How long a second factor counts as fresh.'),
  INVITE_TTL: standard(duration, '7d', 'How long the link of an invitation to a team works.'),
  IDEMPOTENCY_RETENTION: standard(
    duration,
    '24h',
    'How long a settled answer is replayed to its `Idempotency-Key`.',
  ),
  AUTH_FAILURES: standard(
    integer(1),
    '30',
    'API keys that may be refused to one address (IPv6: one /64) at once; then it gets 429. Keys in use go on working.',
  ),
  AUTH_FAILURES_WINDOW: standard(
    duration,
    '1m',
    'How long until all of those may be refused again; they come back one by one.',
  ),
  RATE_LIMITS: standard(
    oneOf('on', 'off'),
    'on',
    '`off` counts and refuses nothing: for load and race tests.',
  ),
} as const;
