import type { RestartingProcess } from './processes.ts';
import type { Requests } from './requests.ts';
import type { World } from './world.ts';

/** What an actor acts on. */
export interface Stage {
  readonly world: World;
  readonly requests: Requests;
  readonly processes: readonly RestartingProcess[];
  /** The write process that the actor's requests go to. */
  readonly writer: number;
}
