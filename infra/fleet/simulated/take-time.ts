import { setTimeout as delay } from 'node:timers/promises';
import type { OperationFailed, OperationLimits } from '../node/driver.ts';

/** Waits as a browser works; fails as told when the operation runs out of time first. */
export async function takeTime(
  ms: number,
  { signal }: OperationLimits,
  tooLate: () => OperationFailed,
): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    throw tooLate();
  });
}
