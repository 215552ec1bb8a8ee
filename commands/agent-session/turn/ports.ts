import type { Logger } from 'pino';
import type { OperationInput } from '../../../contracts/fleet/operations.ts';
import type { RecipeId } from '../../../contracts/ids.ts';
import type { Operation } from '../../../contracts/operations.ts';
import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import type { RecipeContents } from '../../../contracts/resources/recipe.ts';
import type { MetElement } from '../../../contracts/resources/target.ts';
import type { EventStore } from '../../../infra/event-store/client/types.ts';
import type { LiveFleet } from '../../../infra/fleet/control-plane/port.ts';
import type { Pause } from '../../../infra/platform/clock.ts';
import type { Heartbeats } from '../../../infra/ephemeral/heartbeats.ts';
import type { Vault } from '../../../infra/vault/index.ts';
import type { Caller } from '../../engine/context.ts';
import type { CommandPorts } from '../../engine/runner.ts';
import type { SessionCommands } from '../../session/index.ts';
import type { Grammar, ModelDecomposer } from '../../../infra/model/port.ts';
import type { AgentSettings, OwnedAgentSession } from '../ports.ts';
import type { ControlWatch } from './control-watch.ts';
import type { RecentEntries } from './recent-entries.ts';

/** What a deployment settles of turns. Durations in milliseconds. */
export interface TurnSettings {
  /** `auto`: the grammar where it covers a message, else a model. */
  readonly decomposer: 'auto' | 'model' | 'deterministic';
  /** How long after it came a message may still be admitted; a retry of it may be, later. */
  readonly admitWithinMs: number;
  /** How long the calls of a model that one turn makes may take together. */
  readonly turnDeadlineMs: number;
  /** How often a turn that waits for a model looks whether control has changed. */
  readonly controlCheckMs: number;
  /** How much longer a call of a model may take once control has changed, so that what it used can be counted. */
  readonly lastWordsMs: number;
  /** How long an element of a recipe is looked for in one way, before it is looked for in another. */
  readonly healAfterMs: number;
  /** How long a turn waits for a browser that somebody else's operation has. */
  readonly busyPatienceMs: number;
  /** The service's own key of the model provider. */
  readonly bundledKey: string | undefined;
  /** The monthly cap of the bundled model for which nobody has set another, in cents. */
  readonly defaultCapCents: number;
}

export const defaultTurnSettings: TurnSettings = {
  decomposer: 'auto',
  admitWithinMs: 30_000,
  turnDeadlineMs: 5 * 60_000,
  controlCheckMs: 250,
  lastWordsMs: 750,
  healAfterMs: 3000,
  busyPatienceMs: 5000,
  bundledKey: undefined,
  defaultCapCents: 2000,
};

export interface TurnOptions extends CommandPorts {
  readonly store: Pick<EventStore, 'readStream' | 'readAll' | 'head'>;
  readonly pause: Pause;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly sessions: Pick<SessionCommands, 'create' | 'attempt'>;
  readonly fleet: Pick<LiveFleet, 'live'>;
  readonly heartbeats: Pick<Heartbeats, 'record'>;
  readonly grammar: Grammar;
  readonly model: ModelDecomposer;
  /** Throws `validation-failed` for what the routes of driver sessions refuse of a body beyond its schema: addresses, targets. */
  readonly assertSound: <O extends Operation>(operation: O, body: OperationInput<O>) => void;
  readonly settings: TurnSettings & Pick<AgentSettings, 'turnLeaseMs' | 'pairHeartbeatMs'>;
  readonly logger: Logger;
}

/** What the turns of one process have in common. */
export interface TurnPorts extends TurnOptions {
  readonly recentEntries: RecentEntries;
  readonly controlWatch: ControlWatch;
}

/** A recipe with the values of one run. */
export interface BoundRecipe {
  readonly id: RecipeId;
  /** As it was saved, for the record: values of parameters are in none of it. */
  readonly contents: RecipeContents;
  readonly intents: readonly Intent[];
  /** By the index of an intent, the element that it is about as people see it. */
  readonly targets: readonly (MetElement | null)[];
}

/** A message, and who says it to which agent session. */
export interface Order {
  readonly caller: Caller;
  readonly found: OwnedAgentSession;
  /** Fixed by whoever takes the request, so that a retry can ask what became of it. */
  readonly turnId: string;
  /** When the id was made: a message is not admitted long after it. */
  readonly receivedAt: Date;
  readonly message: string;
  /** What is carried out instead of what the message says. */
  readonly recipe: BoundRecipe | null;
  /** The model-provider key that came with the request. */
  readonly ownKey: string | null;
}
