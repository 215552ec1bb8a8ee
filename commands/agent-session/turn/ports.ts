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
import type { FairTurns } from '../../../infra/platform/fair-turns.ts';
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
  /** `auto`: the grammar if it covers a message, else a model. */
  readonly decomposer: 'auto' | 'model' | 'deterministic';
  /** Milliseconds after its arrival within which a message can be admitted; a later retry can be admitted anew. */
  readonly admitWithinMs: number;
  /** Milliseconds after the first model call within which a turn makes further ones, and begins further steps of a model's plan. */
  readonly turnDeadlineMs: number;
  /** Maximal number of rounds of a turn. */
  readonly rounds: number;
  /** Whether models may get pictures of pages. */
  readonly pictures: boolean;
  /** Interval at which a turn that waits for a model checks for a change of control. */
  readonly controlCheckMs: number;
  /** Time that a model call gets after a change of control, so that its use can be counted. */
  readonly lastWordsMs: number;
  /** Time limit of each way of finding a recipe's element. */
  readonly healAfterMs: number;
  /** Time limit of a turn's wait for a browser that runs another operation. */
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
  /** Of a text, under each known pepper, the newest first. */
  readonly keyedDigests: (text: string) => readonly [string, ...string[]];
  readonly sessions: Pick<SessionCommands, 'create' | 'attempt' | 'endOrWithdraw'>;
  readonly fleet: Pick<LiveFleet, 'live'>;
  readonly heartbeats: Pick<Heartbeats, 'record'>;
  readonly grammar: Grammar;
  readonly model: ModelDecomposer;
  /** Validates a body like the routes of driver sessions do, beyond its schema (addresses, targets); throws `validation-failed`. */
  readonly assertSound: <O extends Operation>(operation: O, body: OperationInput<O>) => void;
  readonly settings: TurnSettings & Pick<AgentSettings, 'turnLeaseMs' | 'pairHeartbeatMs' | 'startWithinMs'>;
  readonly logger: Logger;
}

/** Shared state of a process's turns. */
export interface TurnPorts extends TurnOptions {
  readonly recentEntries: RecentEntries;
  readonly controlWatch: ControlWatch;
  /** Turns, by account, of reading outcomes of messages. */
  readonly outcomes: FairTurns;
}

/** A recipe with the values of one run. */
export interface BoundRecipe {
  readonly id: RecipeId;
  /** The saved recipe, for the record: without values of parameters. */
  readonly contents: RecipeContents;
  readonly intents: readonly Intent[];
  /** The element of an intent as people see it, by the intent's index. */
  readonly targets: readonly (MetElement | null)[];
}

/** A message with its caller and agent session. */
export interface Order {
  readonly caller: Caller;
  readonly found: OwnedAgentSession;
  /** Chosen when the request is admitted, so that a retry finds its outcome. */
  readonly turnId: string;
  /** Time at which the id was created: a message is not admitted long after it. */
  readonly receivedAt: Date;
  readonly message: string;
  /** Values of variables. A model gets only their names, and they are kept in memory only. */
  readonly variables: Variables | null;
  /** The requested form of the result. */
  readonly resultForm: ResultForm | null;
  /** The recipe to carry out instead of the message. */
  readonly recipe: BoundRecipe | null;
  /** The model-provider key that came with the request. */
  readonly ownKey: string | null;
  /** Approvals of intents that the previous answer listed as held. */
  readonly approvals?: Message['approvals'];
}
