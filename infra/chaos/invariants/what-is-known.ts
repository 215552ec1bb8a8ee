import type { Evidence } from '../evidence/index.ts';

/** Whether somebody who makes attempts may have gone without news of an endpoint in this time, by the harness's clock. */
export const mayNotHaveHeard = ({ faults }: Evidence, from: number, to: number): boolean =>
  faults.some((fault) => /event.store|worker|role/.test(fault.name) && fault.from <= to && fault.to >= from);

/** What the service's clock showed, by the harness's: milliseconds since the epoch. */
export const byOurClock = ({ clockJumps }: Evidence, shown: number): number =>
  shown - clockJumps.reduce((ahead, { at, ms }) => (shown - ahead >= at ? ahead + ms : ahead), 0);
