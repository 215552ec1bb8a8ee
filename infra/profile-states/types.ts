import type { Readable } from 'node:stream';
import type { ProfileId } from '../../contracts/ids.ts';
import type { SavedState } from '../../contracts/profile-state.ts';

export type SealedState = Omit<SavedState, 'census'>;

/** Why a state could not be stored. */
export type SealFailure = 'seal_failed' | 'too_large' | 'upload_failed';
export class StateNotKept extends Error {
  readonly reason: SealFailure;

  constructor(reason: SealFailure, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'StateNotKept';
    this.reason = reason;
  }
}

/** The state is missing, truncated or changed, or its profile's key is destroyed. */
export class StateUnreadable extends Error {
  override readonly name = 'StateUnreadable';
}

/**
 * Archives of profiles' states, sealed while being written to the object store and opened while being read. Streamed, never
 * buffered whole.
 */
export interface ProfileStates {
  /** Stores the archive under its own key. Rejects with `StateNotKept`, and then stores nothing. */
  keep(profile: ProfileId, generation: number, archive: AsyncIterable<Uint8Array>): Promise<SealedState>;
  /**
   * The archive. Rejects with `StateUnreadable`, as does reading the result if the damage is further in: everything read before
   * is invalid then.
   */
  open(profile: ProfileId, state: SealedState): Promise<Readable>;
  drop(blob: string): Promise<void>;
}
