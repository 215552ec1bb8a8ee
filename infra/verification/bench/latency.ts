import { setTimeout as delay } from 'node:timers/promises';

/** The value that a share `p` (0 to 1) of the values does not exceed. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/**
 * Starts the operations at a fixed rate, even if earlier ones have not ended, and returns the milliseconds of each. So
 * a stall counts for every operation that came in it, as in production.
 */
export async function openLoop(
  { perSecond, operations }: { readonly perSecond: number; readonly operations: number },
  work: (index: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const startedAt = performance.now();
  const running: Promise<number>[] = [];
  while (running.length < operations) {
    const due = Math.ceil(((performance.now() - startedAt) * perSecond) / 1000);
    while (running.length < Math.min(due, operations)) {
      const index = running.length;
      const one = timed(() => work(index));
      // Failures are thrown when all are awaited; until then they must not count as unhandled.
      one.catch(() => undefined);
      running.push(one);
    }
    await delay(1);
  }
  return Promise.all(running);
}
