import type { Logger } from 'pino';
import type { OperationInput } from '../../../contracts/fleet/operations.ts';
import type { RecipeId } from '../../../contracts/ids.ts';
import type { Operation } from '../../../contracts/operations.ts';
import type { Intent, Message } from '../../../contracts/resources/agent-turn.ts';
import type { RecipeContents } from '../../../contracts/resources/recipe.ts';
import type { Variables } from '../../../contracts/resources/variables.ts';
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
import type { ResultForm } from '../../../infra/model/result-form.ts';
import type { AgentSettings, OwnedAgentSession } from '../ports.ts';
import type { ControlWatch } from './control-watch.ts';
import type { RecentEntries } from './recent-entries.ts';

/** Settings of a deployment for turns. Durations in milliseconds. */
export interface TurnSettings {
  /** `auto`: the grammar where it covers a message, else a model. */
  readonly decomposer: 'auto' | 'model' | 'deterministic';
  /** How long after it came a message may still be admitted; a retry of it may be, later. */
  readonly admitWithinMs: number;
  /** From the first call of a model on, how long a turn may go on asking. */
  readonly turnDeadlineMs: number;
  /** How often a turn may look at the page and decide. */
  readonly rounds: number;
  /** Whether models may be shown pictures of pages. */
  readonly pictures: boolean;
  /** How often a turn that waits for a model looks whether control has changed. */
  readonly controlCheckMs: number;
  /** Time that a call of a model is given after a change of control, so that its use can be counted. */
  readonly lastWordsMs: number;
  /** How long an element of a recipe is looked for in one way, before it is looked for in another. */
  readonly healAfterMs: number;
  /** How long a turn waits for a browser that is busy with another operation. */
  readonly busyPatienceMs: number;
  /** The service's own key of the model provider. */
  readonly bundledKey: string | undefined;
  /** The default monthly cap of the bundled model, in US cents. */
  readonly defaultCapCents: number;
}

export const defaultTurnSettings: TurnSettings = {
  decomposer: 'auto',
  admitWithinMs: 30_000,
  turnDeadlineMs: 5 * 60_000,
  rounds: 12,
  pictures: true,
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
  readonly sessions: Pick<SessionCommands, 'create' | 'attempt' | 'endOrWithdraw'>;
  readonly fleet: Pick<LiveFleet, 'live'>;
  readonly heartbeats: Pick<Heartbeats, 'record'>;
  readonly grammar: Grammar;
  readonly model: ModelDecomposer;
  /** Validates a body as the routes of driver sessions do beyond its schema (addresses, targets); throws `validation-failed`. */
  readonly assertSound: <O extends Operation>(operation: O, body: OperationInput<O>) => void;
  readonly settings: TurnSettings & Pick<AgentSettings, 'turnLeaseMs' | 'pairHeartbeatMs'>;
  readonly logger: Logger;
}

/** Shared state of the turns of a process. */
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

/** A message with its caller and agent session. */
export interface Order {
  readonly caller: Caller;
  readonly found: OwnedAgentSession;
  /** Chosen when the request is admitted, so that a retry finds its outcome. */
  readonly turnId: string;
  /** When the id was made: a message is not admitted long after it. */
  readonly receivedAt: Date;
  readonly message: string;
  /** What the model is told the names of. In memory alone. */
  readonly variables: Variables | null;
  /** The form in which the answer is to have what was found. */
  readonly resultForm: ResultForm | null;
  /** The recipe to carry out instead of the message. */
  readonly recipe: BoundRecipe | null;
  /** The model-provider key that came with the request. */
  readonly ownKey: string | null;
  /** Of intents that the answer before has shown as not carried out. */
  readonly approvals?: Message['approvals'];
}
