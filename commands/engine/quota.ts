import { Refusal, refuse } from '../../contracts/problems.ts';
import type { Clock } from '../../infra/platform/clock.ts';

/** How long a place may stand empty before whoever took it counts as dead, milliseconds. */
const admissionLeaseMs = 60_000;

/** A place taken so long ago for something that never came belongs to a request that died. */
export const isAbandoned = (admittedAt: string, now: Date): boolean =>
  Date.parse(admittedAt) + admissionLeaseMs <= now.getTime();

/**
 * Takes a place under a cap; when it is full, once more after those that nobody gave back were reclaimed. Refuses once
 * half of the lease is gone: by the time the next append is stored, the place could be somebody else's.
 */
export async function takeUnderCap(
  clock: Clock,
  admit: () => Promise<unknown>,
  reclaim: () => Promise<void>,
): Promise<void> {
  const startedAt = clock.now().getTime();
  try {
    await admit();
  } catch (error) {
    if (!(error instanceof Refusal) || error.slug !== 'tier-limit') throw error;
    await reclaim();
    await admit();
  }
  if (clock.now().getTime() - startedAt < admissionLeaseMs / 2) return;
  throw refuse('feature-unavailable', 'The request was held up and nothing was made. It may be sent again.', {
    retry_after_seconds: 2,
  });
}
