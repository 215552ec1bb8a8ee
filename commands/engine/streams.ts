import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import { EventStoreUnavailable, type EventStore } from '../../infra/event-store/client/types.ts';
import { Cache } from '../../infra/platform/cache.ts';
import type { CausingEvent } from './context.ts';
import { remember, type RecentEvent } from './recent-events.ts';
import { hasKnownType } from './recording.ts';
import { Snapshots } from './snapshots.ts';

export interface Loaded<State> {
  readonly state: State;
  /** Of the stream's last event; null if it has none. */
  readonly revision: bigint | null;
  /** The stream's last event; null if it has none, or if the state is from a snapshot. */
  readonly last: CausingEvent | null;
}

/** A stream's cached state. Others may have written since; an append at its revision detects that. */
export interface CachedState<State> extends Loaded<State> {
  readonly recent: readonly RecentEvent[];
  /** The tick at which the store had no later events: a command that arrived before it may use the state as current. */
  readonly confirmedAt: number;
}

export interface StreamsOptions {
  readonly store: EventStore;
  readonly logger: Logger;
  /** Maximum number of cached states, evicted by least recent use; 0 disables the cache. */
  readonly cacheEntries: number;
  /** How long queued work waits for its turn before it is dropped, in milliseconds. */
  readonly patienceMs?: number;
  /** A monotonic clock in milliseconds; by default this process's own. */
  readonly now?: () => number;
}

/** The streams of one event store in one process: cached states, and a queue of work per stream. */
export class Streams {
  readonly store: EventStore;
  readonly snapshots: Snapshots;
  readonly #known: Cache<string, { readonly decider: unknown; readonly known: unknown }>;
  /** The last work on each stream. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #patienceMs: number;
  readonly #now: () => number;
  #ticks = 0;

  constructor(options: StreamsOptions) {
    const { store, logger, cacheEntries, patienceMs = 10_000, now = () => performance.now() } = options;
    this.store = store;
    this.snapshots = new Snapshots(store, logger);
    this.#known = new Cache({ maxEntries: cacheEntries });
    this.#patienceMs = patienceMs;
    this.#now = now;
  }

  /** The next tick of a logical clock of this process. */
  tick(): number {
    return (this.#ticks += 1);
  }

  cached<State, Event extends DomainEvent>(
    decider: Decider<State, never, Event>,
    stream: string,
  ): CachedState<State> | undefined {
    const entry = this.#known.get(stream);
    // The same decider stored it, so the state has its type.
    return entry?.decider === decider ? (entry.known as CachedState<State>) : undefined;
  }

  keep<State>(decider: unknown, stream: string, known: CachedState<State>): void {
    this.#known.set(stream, { decider, known });
  }

  forget(stream: string): void {
    this.#known.delete(stream);
  }

  /** Serialises work on a stream: each task starts from the state that the previous one left, instead of conflicting with it. */
  async inTurn<T>(stream: string, work: (arrivedAt: number) => Promise<T>): Promise<T> {
    const [arrivedAt, arrivedMs] = [this.tick(), this.#now()];
    const start = async (): Promise<T> => {
      const waited = Math.round(this.#now() - arrivedMs);
      if (waited <= this.#patienceMs) return work(arrivedAt);
      throw new EventStoreUnavailable(`${stream}: not sent, ${waited} ms in line`);
    };
    const before = this.#last.get(stream);
    const mine = before === undefined ? start() : before.then(start, start);
    this.#last.set(stream, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(stream) === mine) this.#last.delete(stream);
    }
  }

  /** The stream's present state: the cache, else the snapshot, else folded from the first event. */
  async catchUp<State, Event extends DomainEvent>(
    decider: Decider<State, never, Event>,
    stream: string,
    known?: CachedState<State>,
  ): Promise<CachedState<State>> {
    const { category, initialState, evolve, snapshotEvery } = decider;
    const confirmedAt = this.tick();
    const isSeen = known !== undefined && known.revision !== null;
    // No snapshot is read for a stream that was empty at its last read: it is still short.
    const isSnapshot = known === undefined && snapshotEvery !== undefined;
    const snapshot = isSnapshot ? await this.snapshots.load(decider, stream) : undefined;
    const before: Omit<CachedState<State>, 'confirmedAt'> = isSeen
      ? known
      : { state: initialState, revision: null, last: null, recent: [], ...snapshot };
    let { state, revision, last } = before;
    const recent = [...before.recent];
    const from = revision === null ? 'start' : revision + 1n;
    for await (const event of this.store.readStream(stream, { from })) {
      if (hasKnownType<Event>(category, event)) state = evolve(state, event);
      revision = event.revision;
      last = causeOf(event);
      remember(recent, event);
    }
    const present = { state, revision, last, recent, confirmedAt };
    this.keep(decider, stream, present);
    return present;
  }
}

/** The parts of an event that its effects name as their cause; cached states keep no more of it. */
export const causeOf = ({ id, metadata: { correlation_id, traceparent } }: CausingEvent): CausingEvent => ({
  id,
  metadata: traceparent === undefined ? { correlation_id } : { correlation_id, traceparent },
});
