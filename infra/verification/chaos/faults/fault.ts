import type { Random } from '../random.ts';
import type { QueueKind, World } from '../world/index.ts';

/** Ends the fault. Recovery may take longer. */
export type Heal = () => void | Promise<void>;

/** A fault that occurs in operation sooner or later. */
export interface Fault {
  readonly name: string;
  /** What the service must do, in the words of `docs/reliability.md`. */
  readonly expected: string;
  readonly weight: number;
  /** Minimal and maximal duration in milliseconds; 0 for an instantaneous fault. */
  readonly lasts: readonly [number, number];
  /** Applies to this queue only. */
  readonly queue?: QueueKind;
  /** Milliseconds without another fault afterwards, within the run, so that its recovery is observed. */
  readonly restMs?: number;
  readonly inject: (world: World, random: Random) => Promise<Heal> | Heal;
}

export const atOnce: Heal = () => undefined;
