import type { Logger } from 'pino';
import type { AccountId } from '../../contracts/ids.ts';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import { assertFree } from '../../domain/profile/profile.ts';
import type { ActiveProfile } from '../../domain/profile/state.ts';
import { StateNotKept, type ProfileStates } from '../../infra/profile-states/types.ts';
import type { ConcurrencyLimiter } from '../../infra/platform/concurrency-limiter.ts';
import { find } from './find.ts';
import type { ProfilePorts } from './ports.ts';

/** Ports of export, import and trim. */
export interface ProfileStatePorts extends Pick<
  ProfilePorts,
  'runner' | 'clock' | 'archetypes' | 'newNoiseSeed'
> {
  readonly states: ProfileStates;
  /** Directory of temporary files of exports. */
  readonly spoolDirectory: string;
  /** Exports whose files are being written, by account. */
  readonly exports: Pick<ConcurrencyLimiter, 'hold'>;
  /** Bytes of exports' files until they are read, by account. */
  readonly exportedBytes: Pick<ConcurrencyLimiter, 'acquire'>;
  /** Running trims, by account. */
  readonly trims: Pick<ConcurrencyLimiter, 'hold'>;
  /** Sealed bytes of all states of the account's profiles, also of those in the trash; it may lag a little behind. */
  readonly storedBytes: (accountId: AccountId) => Promise<number>;
  /** A generated passphrase, too long to guess. */
  readonly newPassphrase: () => string;
  readonly logger: Logger;
}

/**
 * The refusal for a state that could not be read. Its blob is deleted once a newer state replaces it; if it is still the profile's, it is
 * broken, and a retry does not help. Throws `not-found` if the profile is gone, `profile-in-use` if it was launched since.
 */
export async function unreadable(
  ports: Pick<ProfileStatePorts, 'runner' | 'logger'>,
  { accountId, profileId, state }: ActiveProfile,
  error: unknown,
): Promise<Refusal> {
  const found = await find(ports, accountId, profileId);
  if (found.state?.blob !== state?.blob) {
    assertFree(found);
    return refuse('conflict', 'The state of the profile was replaced while it was being read. Try again.');
  }
  ports.logger.error({ err: error, profile: profileId }, 'The saved state of a profile cannot be opened.');
  return refuse('driver-error', 'The saved state of the profile cannot be opened.');
}

/** The refusal for a state that could not be stored; any other error is returned as it is. */
export function notKept(error: unknown): unknown {
  if (!(error instanceof StateNotKept) || error.reason === 'too_large') return error;
  return refuse('feature-unavailable', 'The state could not be stored. Try again soon.', {
    retry_after_seconds: 5,
  });
}
