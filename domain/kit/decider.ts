import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';

/**
 * The rules of one stream category, as three pure functions.
 *
 * - `decide` returns the events of a command: none when there is nothing left to do, a thrown `Refusal` when it may not be.
 * - `evolve` folds an event into the state and never throws; an event that does not fit the state leaves it unchanged.
 * - Neither reads a clock or makes an id: time, ids and random values are fields of the command.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly category: Category;
  readonly initialState: State;
  readonly decide: (command: Command, state: State) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
  /** A snapshot is written every so many events; without it the stream is always read from its start. */
  readonly snapshotEvery?: number;
  /** Raised when the shape of the state changes: snapshots of an older version are then ignored. */
  readonly stateVersion?: number;
}

/** A command's name and arguments. `at` is the time of the decision, ISO 8601. */
export type Command<Type extends string, Fields = unknown> = {
  readonly type: Type;
  readonly at: string;
} & Readonly<Fields>;

/** The data of one type of event. */
export type DataOf<Event extends DomainEvent, Type extends Event['type']> = Extract<
  Event,
  { readonly type: Type }
>['data'];
