import { Refusal } from '../../contracts/problems.ts';

/** How long a place may stand empty before whoever took it counts as dead, milliseconds. */
const admissionLeaseMs = 60_000;

/** A place taken so long ago for something that never came belongs to a request that died. */
export const isAbandoned = (admittedAt: string, now: Date): boolean =>
  Date.parse(admittedAt) + admissionLeaseMs <= now.getTime();

/** Takes a place under a cap; when it is full, once more after those that nobody gave back were reclaimed. */
export async function takeUnderCap(
  admit: () => Promise<unknown>,
  reclaim: () => Promise<void>,
): Promise<void> {
  try {
    await admit();
  } catch (error) {
    if (!(error instanceof Refusal) || error.slug !== 'tier-limit') throw error;
    await reclaim();
    await admit();
  }
}
