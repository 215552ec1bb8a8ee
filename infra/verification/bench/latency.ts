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
 * Starts the operations at a fixed rate, whether or not earlier ones have ended, and gives how long each took in
 * milliseconds: a stall is felt by everyone who came in it, as it is in service.
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
      // A failure is met at the end, by whoever waits for all; until then it must not count as unhandled.
      one.catch(() => undefined);
      running.push(one);
    }
    await delay(1);
  }
  return Promise.all(running);
}
