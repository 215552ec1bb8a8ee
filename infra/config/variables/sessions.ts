import { longestTimeoutMs } from '../../../contracts/resources/operation-timeout.ts';
import { duration, pause, standard } from '../kinds.ts';

/** Durations of the contract, and leases. */
export const sessions = {
  FREE_SESSION_LIMIT: standard(duration, '20m', 'Lifetime of a free-tier session (wall-clock).'),
  OPERATION_TIMEOUT_GRACE: standard(
    duration,
    '15s',
    "Grace after an operation's `timeout_ms` before a session with a silent browser is errored.",
  ),
  OPERATION_TIMEOUT: standard(
    pause('1ms', `${longestTimeoutMs / 1_000}s`),
    '30s',
    'Default `timeout_ms` of an operation, beside the time that it takes by itself; together at most 120 seconds.',
  ),
  CREATION_DEADLINE: standard(duration, '60s', 'Time limit for a node to start a browser.'),
  CREATION_LEASE: standard(
    duration,
    '90s',
    'Lease of a creation: if it is not settled by then, it is errored and its slot released; longer than `CREATION_DEADLINE`.',
  ),
  SLOT_LEASE: standard(
    duration,
    '60s',
    'Lease of a slot: it is released if its session is not requested by then.',
  ),
  PROFILE_WAIT: standard(
    duration,
    '30s',
    'Maximum wait of a launch for a profile that is being saved; then it is refused.',
  ),
  SAVE_LEASE: standard(
    duration,
    '5m',
    'Lease of a save after the end of a session: then the profile is free again, with its previous state.',
  ),
  PROFILE_RETENTION: standard(duration, '30d', 'How long a profile stays in the trash before it is purged.'),
  SWEEP_INTERVAL: standard(pause('100ms'), '3s', 'Interval of the sweep for due timers without a wake-up.'),
} as const;
