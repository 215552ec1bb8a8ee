import { FairTurns } from '../../../infra/platform/fair-turns.ts';
import { bindPorts } from '../../engine/bind-ports.ts';
import { find } from '../find.ts';
import { admit, withdraw } from './admit.ts';
import { outcome, outcomesAtOnce } from './outcome.ts';
import { ControlWatch } from './control-watch.ts';
import type { Order, TurnOptions, TurnPorts } from './ports.ts';
import { RecentEntries } from './recent-entries.ts';
import { run } from './run.ts';

export {
  defaultTurnSettings,
  type BoundRecipe,
  type Order,
  type TurnOptions,
  type TurnSettings,
} from './ports.ts';
export type { Admitted } from './admit.ts';

/** Admits a message and runs its turn to the end. Refusals are thrown as `Refusal`. */
const say = async (ports: TurnPorts, order: Order) => run(await admit(ports, order));

/** Messages to agents. */
export function createTurns(options: TurnOptions) {
  const { controlCheckMs: everyMs } = options.settings;
  const ports: TurnPorts = {
    ...options,
    recentEntries: new RecentEntries(options.store),
    controlWatch: new ControlWatch({ ...options, everyMs }),
    outcomes: new FairTurns(outcomesAtOnce),
  };
  return { ...bindPorts(ports, { find, admit, say, outcome, withdraw }), run };
}

export type Turns = ReturnType<typeof createTurns>;
