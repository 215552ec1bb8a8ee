import type { Logger } from 'pino';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import { StateNotKept, type ProfileStates } from '../../infra/profile-states/types.ts';
import type { ConcurrencyLimiter } from '../../infra/platform/concurrency-limiter.ts';
import type { ProfilePorts } from './ports.ts';

/** Ports of export, import and trim. */
export interface ProfileStatePorts extends Pick<
  ProfilePorts,
  'runner' | 'clock' | 'archetypes' | 'newNoiseSeed'
> {
  readonly states: ProfileStates;
  /** Directory of temporary files of exports. */
  readonly spoolDirectory: string;
  /** Running exports, by account. */
  readonly exports: Pick<ConcurrencyLimiter, 'acquire'>;
  /** A generated passphrase, too long to guess. */
  readonly newPassphrase: () => string;
  readonly logger: Logger;
}

/** The refusal for a state that cannot be read; a retry does not help. */
export function unreadable({ logger }: Pick<ProfileStatePorts, 'logger'>, error: unknown): Refusal {
  logger.error({ err: error }, 'The saved state of a profile cannot be opened.');
  return refuse('driver-error', 'The saved state of the profile cannot be opened.');
}

/** The refusal for a state that could not be stored; any other error is returned as it is. */
export function notKept(error: unknown): unknown {
  if (!(error instanceof StateNotKept) || error.reason === 'too_large') return error;
  return refuse('feature-unavailable', 'The state could not be stored. Try again soon.', {
    retry_after_seconds: 5,
  });
}
