import { randomOf } from '../random.ts';
import type { QueueKind } from '../world/index.ts';
import type { Fault } from './fault.ts';

export interface PlannedFault {
  readonly fault: Fault;
  /** Milliseconds from the start of the run. */
  readonly at: number;
  readonly lastsMs: number;
}

/** The run begins without faults, to show that the service works, and has a pause between two faults. */
const FIRST_MS = 2_000;
const GAP_MS = [700, 2_500] as const;
/** Probability that a second fault begins before the first is over. */
const OVERLAP = 0.3;

/** The schedule of faults, at most two at a time. The same for the same seed. */
export function planFaults(
  seed: number,
  runMs: number,
  queue: QueueKind,
  faults: readonly Fault[],
): readonly PlannedFault[] {
  const possible = faults.filter((fault) => fault.queue === undefined || fault.queue === queue);
  const random = randomOf(seed, 'faults');
  const plan: PlannedFault[] = [];
  let overlaps = false;
  for (let at = FIRST_MS; at < runMs;) {
    const fitting = possible.filter((fault) => recovers(fault, at, runMs));
    if (fitting.length === 0) break;
    const fault = random.weighted(fitting);
    const { restMs = 0 } = fault;
    const lastsMs = random.between(...fault.lasts);
    plan.push({ fault, at, lastsMs });
    const wait = random.between(...GAP_MS) + restMs;
    overlaps = !overlaps && lastsMs > 0 && random.next() < OVERLAP && restMs === 0;
    at += overlaps ? Math.round(Math.min(wait, lastsMs / 2)) : lastsMs + wait;
  }
  return plan;
}

/** Most faults may end after the run, in the drain, except for those whose recovery is observed. */
const recovers = ({ restMs = 0, lasts }: Fault, at: number, runMs: number): boolean =>
  restMs === 0 || at + lasts[1] + restMs <= runMs;
