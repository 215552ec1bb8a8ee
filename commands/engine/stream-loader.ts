import { performance } from 'node:perf_hooks';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import { EventStoreUnavailable, type EventStore } from '../../infra/event-store/client/types.ts';
import { isKnown } from './recording.ts';
import type { Snapshots } from './snapshots.ts';
import { StateCache, type Known } from './state-cache.ts';
import { createKeyedMutex } from './keyed-mutex.ts';

export interface Loaded<State> {
  readonly state: State;
  /** Of the stream's last event; null when it has none. */
  readonly revision: bigint | null;
}

export interface StreamLoader {
  readonly cache: StateCache;
  /** The next moment of a clock that only orders what happens in this process. */
  readonly tick: () => number;
  /** The work on one stream takes turns: each starts from what the one before left, instead of losing to it. */
  readonly inTurn: <T>(stream: string, work: (arrivedAt: number) => Promise<T>) => Promise<T>;
  /** The stream's present state, by reading only what is not known of it. */
  readonly catchUp: <State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    known?: Known<State>,
  ) => Promise<Known<State>>;
}

export interface StreamLoaderOptions {
  readonly store: EventStore;
  readonly snapshots: Snapshots;
  /** How many streams' states are kept in memory. */
  readonly cacheEntries: number;
  /** How long work waits for its turn before it is given up undone, milliseconds. */
  readonly patienceMs: number;
  /** Milliseconds that only ever go forward; by default this process's own. */
  readonly now?: (() => number) | undefined;
}

export function createStreamLoader({
  store,
  snapshots,
  cacheEntries,
  patienceMs,
  now = () => performance.now(),
}: StreamLoaderOptions): StreamLoader {
  const cache = new StateCache(cacheEntries);
  const turns = createKeyedMutex();
  let ticks = 0;
  const tick = (): number => (ticks += 1);
  return {
    cache,
    tick,
    inTurn: async (stream, work) => {
      const arrivedAt = tick();
      const arrivedMs = now();
      return turns(stream, async () => {
        const waited = Math.round(now() - arrivedMs);
        if (waited > patienceMs) throw new EventStoreUnavailable(`${stream}: not sent, ${waited} ms in line`);
        return work(arrivedAt);
      });
    },
    catchUp: async (decider, stream, known) => {
      const confirmedAt = tick();
      const present = { ...(await fold(store, snapshots, decider, stream, known)), confirmedAt };
      cache.set(decider, stream, present);
      return present;
    },
  };
}

/** The stream's present state, from what is known of it, else from its snapshot, else from its first event. */
async function fold<State, Command, Event extends DomainEvent>(
  store: EventStore,
  snapshots: Snapshots,
  decider: Decider<State, Command, Event>,
  stream: string,
  known: Known<State> | undefined,
): Promise<Loaded<State>> {
  const { category, initialState, evolve, snapshotEvery } = decider;
  const isSeen = known !== undefined && known.revision !== null;
  const snapshot = isSeen || snapshotEvery === undefined ? undefined : await snapshots.load(decider, stream);
  let { state, revision }: Loaded<State> = isSeen
    ? known
    : (snapshot ?? { state: initialState, revision: null });
  for await (const event of store.readStream(stream, { from: revision === null ? 'start' : revision + 1n })) {
    if (isKnown<Event>(category, event)) state = evolve(state, event);
    revision = event.revision;
  }
  return { state, revision };
}
