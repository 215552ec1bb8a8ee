import type { Evidence } from '../evidence/index.ts';

/** Whether a worker may have missed changes of an endpoint in this time, by the harness's clock. */
export const mayHaveMissedChanges = ({ faults }: Evidence, from: number, to: number): boolean =>
  faults.some((fault) => /event.store|worker|role/.test(fault.name) && fault.from <= to && fault.to >= from);

/**
 * Converts a time of the service's clock to the harness's, in milliseconds since the epoch. A clock that was moved back
 * showed some times twice; the later one is returned.
 */
export function byOurClock({ clockJumps }: Evidence, shown: number): number {
  let ahead = 0;
  let latest = shown;
  for (const { at, ms } of clockJumps) {
    ahead += ms;
    if (shown - ahead >= at) latest = shown - ahead;
  }
  return latest;
}
