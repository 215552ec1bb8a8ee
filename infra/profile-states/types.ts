import type { Readable } from 'node:stream';
import type { ProfileId } from '../../contracts/ids.ts';
import type { SavedState } from '../../contracts/profile-state.ts';

export type SealedState = Omit<SavedState, 'census'>;

/** Why a state could not be kept. */
export type SealFailure = 'seal_failed' | 'too_large' | 'upload_failed';
export class StateNotKept extends Error {
  readonly reason: SealFailure;

  constructor(reason: SealFailure, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = 'StateNotKept';
    this.reason = reason;
  }
}

/** A state that is missing, was cut or changed, or whose profile's key is destroyed. */
export class StateUnreadable extends Error {
  override readonly name = 'StateUnreadable';
}

/** Archives of profiles' states, sealed on their way to the object store and opened on their way back. Nothing is whole in memory. */
export interface ProfileStates {
  /** Keeps the archive under a key of its own. Rejects with `StateNotKept`, and leaves nothing then. */
  keep(profile: ProfileId, generation: number, archive: AsyncIterable<Uint8Array>): Promise<SealedState>;
  /**
   * The archive. Rejects with `StateUnreadable`, and so does the reading of what it gives where the damage lies further in:
   * what was read before is worth nothing then.
   */
  open(profile: ProfileId, state: SealedState): Promise<Readable>;
  drop(blob: string): Promise<void>;
}
