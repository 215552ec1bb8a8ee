import type { Random } from '../random.ts';
import type { QueueKind, World } from '../world/index.ts';

/** Ends the fault; what it broke may take longer to recover. */
export type Heal = () => void | Promise<void>;

/** Something that operation will do to the service sooner or later. */
export interface Fault {
  readonly name: string;
  /** What the service must do, in the words of `docs/reliability.md`. */
  readonly expected: string;
  readonly weight: number;
  /** How long it lasts, milliseconds, least and most; 0 for what happens at once. */
  readonly lasts: readonly [number, number];
  /** Only with this queue. */
  readonly queue?: QueueKind;
  /** So long nothing else is done to the service afterwards, milliseconds, within the run: its recovery is to be seen. */
  readonly restMs?: number;
  readonly inflict: (world: World, random: Random) => Promise<Heal> | Heal;
}

export const atOnce: Heal = () => undefined;
