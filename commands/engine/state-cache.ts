import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import { Cache } from '../../infra/platform/cache.ts';

/** The state of a stream as this process last saw it. Others may have written since; an append's revision finds out. */
export interface Known<State> {
  readonly state: State;
  /** Of the last event folded into the state; null when the stream had none. */
  readonly revision: bigint | null;
  /** The tick at which the store was asked and had no more: a command that came before it may believe the state. */
  readonly confirmedAt: number;
}

interface Entry {
  readonly decider: unknown;
  readonly known: unknown;
}

/** States of recently used streams; beyond the limit the one unused for longest is forgotten. */
export class StateCache {
  readonly #entries: Cache<string, Entry>;

  constructor(limit: number) {
    this.#entries = new Cache({ maxEntries: limit });
  }

  get<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
  ): Known<State> | undefined {
    const entry = this.#entries.get(stream);
    if (entry?.decider !== decider) return undefined;
    // `set` stored it for this very decider, so it is that decider's state.
    return entry.known as Known<State>;
  }

  set<State, Command, Event extends DomainEvent>(
    decider: Decider<State, Command, Event>,
    stream: string,
    known: Known<State>,
  ): void {
    this.#entries.set(stream, { decider, known });
  }

  forget(stream: string): void {
    this.#entries.delete(stream);
  }
}
