import type { SessionId } from '../../contracts/ids.ts';

/**
 * The driver session that the agent session holds. An attached one stays after its end, so that no other is started
 * in its place.
 */
export interface Browser {
  readonly sessionId: SessionId;
  readonly origin: 'attached' | 'spawned';
  readonly ended: boolean;
  /** When its start began; absent for an attached one. */
  readonly namedAt?: string;
  /** Present once the drain of its node was announced. `endsBy`: when the node stops at the latest; null if unknown. */
  readonly drain?: { readonly endsBy: string | null };
}

/** Whether a drain of its node is still to be announced: once, and once more if only then the node's stop is known. */
export const isDrainNews = ({ ended, drain }: Browser, endsBy: string | null): boolean =>
  !ended && (drain === undefined || (drain.endsBy === null && endsBy !== null));
