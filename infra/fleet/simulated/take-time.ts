import { setTimeout as delay } from 'node:timers/promises';
import type { OperationFailed, OperationLimits } from '../node/driver.ts';

/** Waits as long as a browser would work; rejects with the given error if the operation's time runs out first. */
export async function takeTime(
  ms: number,
  { signal }: OperationLimits,
  tooLate: () => OperationFailed,
): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    throw tooLate();
  });
}
