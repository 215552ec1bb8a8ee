import type { Evidence } from '../evidence/index.ts';

/** Whether somebody who makes attempts may have gone without news of an endpoint in this time, by the harness's clock. */
export const mayHaveMissedNews = ({ faults }: Evidence, from: number, to: number): boolean =>
  faults.some((fault) => /event.store|worker|role/.test(fault.name) && fault.from <= to && fault.to >= from);

/**
 * When the service's clock showed this, by the harness's: milliseconds since the epoch. One that was set back showed some
 * times twice, and the later one is meant.
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
