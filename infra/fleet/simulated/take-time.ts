import { setTimeout as delay } from 'node:timers/promises';
import type { OperationFailed, OperationLimits } from '../node/driver.ts';

/** Waits as long as a browser would work; fails with the given error when the operation runs out of time first. */
export async function takeTime(
  ms: number,
  { signal }: OperationLimits,
  tooLate: () => OperationFailed,
): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    throw tooLate();
  });
}
