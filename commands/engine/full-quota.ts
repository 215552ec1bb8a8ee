import type { Reservation } from '../../domain/kit/quota.ts';
import type { Clock } from '../../infra/platform/clock.ts';

/** A full quota with at most so many reservations is checked for each request that it refuses. */
export const checkedAlways = 100;

/** How long a larger one, unchanged, is not checked again, in milliseconds. Each check reads every resource of the account. */
const checkedForMs = 5_000;

interface Check {
  readonly done: Promise<boolean>;
  /** Milliseconds since the epoch; undefined while it runs. */
  endedAt?: number;
}

/** The last check of the reservations of each large full quota. A change of a quota makes new ones. */
const checks = new WeakMap<readonly Reservation[], Check>();

/**
 * Checks the reservations of a large full quota, or waits for a running check of them. False if they have just been checked. `check`: resolves to
 * whether all of them have their resources, so that time alone releases none.
 */
export async function checkOnce(
  clock: Clock,
  reservations: readonly Reservation[],
  check: () => Promise<boolean>,
): Promise<boolean> {
  const time = (): number => clock.now().getTime();
  const last = checks.get(reservations);
  // The difference is negative after the clock was set back.
  if (last?.endedAt !== undefined && Math.abs(time() - last.endedAt) < checkedForMs) return false;
  if (last !== undefined && last.endedAt === undefined) {
    await last.done;
    return true;
  }
  const own: Check = { done: check() };
  checks.set(reservations, own);
  try {
    if (await own.done) own.endedAt = time();
  } finally {
    if (own.endedAt === undefined) checks.delete(reservations);
  }
  return true;
}
