import { bindPorts } from '../../engine/bind-ports.ts';
import { find } from '../find.ts';
import { admit } from './admit.ts';
import { outcome } from './outcome.ts';
import type { Order, TurnPorts } from './ports.ts';
import { run } from './run.ts';

export {
  defaultTurnSettings,
  type BoundRecipe,
  type Order,
  type TurnPorts,
  type TurnSettings,
} from './ports.ts';
export type { Admitted, Answered } from './admit.ts';

/** Admits a message and runs its turn to the end. Refusals are thrown as `Refusal`. */
const say = async (ports: TurnPorts, order: Order) => run(await admit(ports, order));

/** What is said to agents. */
export const createTurns = (ports: TurnPorts) => ({
  ...bindPorts(ports, { find, admit, say, outcome }),
  run,
});

export type Turns = ReturnType<typeof createTurns>;
