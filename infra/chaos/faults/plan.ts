import { randomOf } from '../random.ts';
import type { QueueKind } from '../world/index.ts';
import type { Fault } from './fault.ts';

export interface PlannedFault {
  readonly fault: Fault;
  /** Milliseconds from the start of the run. */
  readonly at: number;
  readonly lastsMs: number;
}

/** The service first shows that it works, and gets a moment between two faults. */
const FIRST_MS = 2_000;
const GAP_MS = [700, 2_500] as const;
/** How often a second fault comes before the first is over. */
const OVERLAP = 0.3;

/** What happens when, one or two at a time: the same for the same seed. */
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
  for (let at = FIRST_MS; at < runMs && possible.length > 0;) {
    const fault = random.weighted(possible);
    const lastsMs = random.between(...fault.lasts);
    plan.push({ fault, at, lastsMs });
    const wait = random.between(...GAP_MS);
    overlaps = !overlaps && lastsMs > 0 && random.next() < OVERLAP;
    at += overlaps ? Math.round(Math.min(wait, lastsMs / 2)) : lastsMs + wait;
  }
  return plan;
}
