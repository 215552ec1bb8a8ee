import { duration, standard } from '../kinds.ts';

/** Durations of the contract and of what watches over them. */
export const sessions = {
  FREE_SESSION_LIMIT: standard(duration, '20m', 'Wall-clock life of a free-tier session.'),
  OPERATION_TIMEOUT_GRACE: standard(
    duration,
    '15s',
    "How long past an operation's `timeout_ms` a silent browser is waited for before the session is errored.",
  ),
  OPERATION_TIMEOUT: standard(
    duration,
    '30s',
    'What an operation may take when its request names no `timeout_ms`.',
  ),
  CREATION_DEADLINE: standard(duration, '60s', 'How long a node may take to start a browser.'),
  CREATION_LEASE: standard(
    duration,
    '90s',
    'A creation that settled neither way within this is errored and its slot freed; longer than `CREATION_DEADLINE`.',
  ),
  SLOT_LEASE: standard(duration, '60s', 'A slot whose session never came to be is freed after this.'),
  PROFILE_WAIT: standard(
    duration,
    '30s',
    'How long a launch waits for its profile while that is being saved; then it is refused.',
  ),
  SAVE_LEASE: standard(
    duration,
    '5m',
    'A profile that a node has not saved within this after the end of its session is as it was before, and free.',
  ),
  PROFILE_RETENTION: standard(duration, '30d', 'How long a profile stays in the trash before it is purged.'),
  SWEEP_INTERVAL: standard(duration, '3s', 'How often due timers without a wake-up are looked for.'),
} as const;
