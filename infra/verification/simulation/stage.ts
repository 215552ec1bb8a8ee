import type { RestartingProcess } from './processes.ts';
import type { Requests } from './requests.ts';
import type { World } from './world.ts';

/** Where an actor acts. */
export interface Stage {
  readonly world: World;
  readonly requests: Requests;
  readonly processes: readonly RestartingProcess[];
  /** The write process the actor talks to. */
  readonly writer: number;
}
