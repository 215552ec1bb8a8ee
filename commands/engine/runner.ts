import { streamOf, type DomainEvent } from '../../contracts/events/catalogue.ts';
import { fieldAt } from '../../contracts/events/fields.ts';
import { Refusal } from '../../contracts/problems.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import { WrongExpectedRevision, type Position } from '../../infra/event-store/client/types.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { CommandContext } from './context.ts';
import { isRepeated, remember } from './recent-events.ts';
import { toAppend } from './recording.ts';
import { causeOf, Streams, type CachedState, type Loaded, type StreamsOptions } from './streams.ts';

export interface RunOutcome<State, Event> extends Loaded<State> {
  /** Events added by this command; empty if nothing changed. */
  readonly events: readonly Event[];
  /** The log position of the last of `events`. */
  readonly position: Position | undefined;
}

export interface RunOptions<Event extends DomainEvent = DomainEvent> {
  /** Assumes a new stream: decides on the initial state without a read, and reads if that was wrong. */
  readonly create?: boolean;
  /** The context in an event's metadata, for commands that change two accounts; by default the command's. */
  readonly contextOf?: (event: Event) => CommandContext;
}

export interface LoadOptions {
  /** Accepts the cached state, for facts that never change; by default the stream is read. */
  readonly cached?: boolean;
}

/** Runs commands: load, decide, append, and retry if another writer was faster. */
export interface Runner {
  /**
   * Rejects with the rule's `Refusal`, with `Contended` at the eleventh conflict in a row, and with `EventStoreUnavailable` if the
   * outcome is unknown in time.
   */
  run<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    uuid: string,
    command: Command,
    context: CommandContext,
    options?: RunOptions<Event>,
  ): Promise<RunOutcome<State, Event>>;
  load<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    uuid: string,
    options?: LoadOptions,
  ): Promise<Loaded<State>>;
}

/** The ports of every command. */
export interface CommandPorts {
  readonly runner: Runner;
  readonly clock: Clock;
}

/** Conflicts with other writers after which the decision is repeated; the next one refuses the command. */
const maxConflicts = 10;

/** Other writers were always faster. The command had no effect; earlier commands of the same request may have had theirs. */
export class Contended extends Refusal {
  constructor() {
    super('conflict', 'The resource kept changing while the request was processed. Send it again.', {
      retry_after_seconds: 1,
    });
  }
}

export function createRunner(options: StreamsOptions): Runner {
  const streams = new Streams(options);
  return {
    run: (decider, uuid, command, context, { create = false, contextOf } = {}) => {
      const order = {
        decider,
        stream: streamOf(decider.category, uuid),
        command,
        context,
        create,
        contextOf,
      };
      return streams.inTurn(order.stream, (arrivedAt) => carryOut(streams, order, arrivedAt));
    },
    load: async (decider, uuid, { cached = false } = {}) => {
      const stream = streamOf(decider.category, uuid);
      const seen = cached ? streams.cached(decider, stream) : undefined;
      return seen !== undefined && seen.revision !== null ? seen : present(streams, decider, stream);
    },
  };
}

/** One command and its stream. */
interface Order<State, Command, Event extends DomainEvent> {
  readonly decider: Decider<State, Command, Event>;
  readonly stream: string;
  readonly command: Command;
  readonly context: CommandContext;
  /** True if the stream is assumed to be new. */
  readonly create: boolean;
  readonly contextOf: RunOptions<Event>['contextOf'];
}

/** The stream's state at a time after the call: read now, or by the previous turn. */
const present = <State, Event extends DomainEvent>(
  streams: Streams,
  decider: Decider<State, never, Event>,
  stream: string,
): Promise<Loaded<State>> =>
  streams.inTurn(stream, async (arrivedAt) => {
    const known = streams.cached(decider, stream);
    if (known !== undefined && known.confirmedAt > arrivedAt) return known;
    return streams.catchUp(decider, stream, known);
  });

/** Decides and appends; reads the state again if the cached one is stale. */
async function carryOut<State, Command, Event extends DomainEvent>(
  streams: Streams,
  order: Order<State, Command, Event>,
  arrivedAt: number,
): Promise<RunOutcome<State, Event>> {
  const { decider, stream, create } = order;
  // Tick 0 is before every command: a refusal that relies on the assumed state is never final.
  const unread = { state: decider.initialState, revision: null, last: null, recent: [], confirmedAt: 0 };
  let known = streams.cached(decider, stream) ?? (create ? unread : await streams.catchUp(decider, stream));
  for (let conflicts = 0; conflicts <= maxConflicts;) {
    const decision = decide(order, known);
    const isNo = decision instanceof Refusal || decision.length === 0;
    // A refusal is final only if the state is not older than the call.
    if (isNo && known.confirmedAt <= arrivedAt) {
      known = await streams.catchUp(decider, stream, known);
      continue;
    }
    if (decision instanceof Refusal) throw decision;
    if (isNo) return { ...known, events: decision, position: undefined };
    const outcome = await commit(streams, order, known, decision);
    if (outcome !== undefined) return outcome;
    conflicts += 1;
    known = await streams.catchUp(decider, stream, known);
  }
  streams.forget(stream);
  throw new Contended();
}

/** Appends one decision. Undefined if another writer was faster, and the decision's state is stale. */
async function commit<State, Command, Event extends DomainEvent>(
  streams: Streams,
  { decider, stream, context, contextOf }: Order<State, Command, Event>,
  known: CachedState<State>,
  decision: readonly Event[],
): Promise<RunOutcome<State, Event> | undefined> {
  const events = toAppend(decider.category, decision, context, contextOf);
  const confirmedAt = streams.tick();
  try {
    const expected = known.revision ?? 'no_stream';
    const { revision, position } = await streams.store.append(stream, expected, events);
    const state = decision.reduce(decider.evolve, known.state);
    const appended = events.at(-1);
    const last = appended === undefined ? known.last : causeOf(appended);
    const recent = [...known.recent];
    for (const event of events) remember(recent, event);
    streams.keep(decider, stream, { state, revision, last, recent, confirmedAt });
    if (isSnapshotDue(decider.snapshotEvery, known.revision, revision)) {
      void streams.snapshots.save(decider, stream, { state, revision, recent }, ownerOf(decision, context));
    }
    return { state, revision, last, events: decision, position };
  } catch (error) {
    streams.forget(stream);
    if (error instanceof WrongExpectedRevision) return undefined;
    throw error;
  }
}

/** The account of the last event, else that of the command context. */
const ownerOf = (decision: readonly DomainEvent[], { actor }: CommandContext): string | null => {
  const owner = fieldAt(decision.at(-1)?.data, 'accountId');
  return typeof owner === 'string' ? owner : actor.account_id;
};

/** No events if the command was carried out before, whatever the rule decides now. */
function decide<State, Command, Event extends DomainEvent>(
  { decider, command, context }: Order<State, Command, Event>,
  { state, recent }: CachedState<State>,
): readonly Event[] | Refusal {
  try {
    const decision = decider.decide(command, state);
    return isRepeated(recent, decision, context) ? [] : decision;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function isSnapshotDue(snapshotEvery: number | undefined, before: bigint | null, after: bigint): boolean {
  if (snapshotEvery === undefined) return false;
  const every = BigInt(snapshotEvery);
  return (after + 1n) / every > ((before ?? -1n) + 1n) / every;
}
