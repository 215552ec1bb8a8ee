import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';

/**
 * A rule of the service as three pure functions. `decide` answers a command with the events it causes (none when the
 * command has nothing left to do) or throws a `Refusal`; `evolve` never throws; time, ids and random come in the command.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly category: Category;
  readonly initialState: State;
  readonly decide: (command: Command, state: State) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
  /** Streams that can pass this many events keep a snapshot. */
  readonly snapshotEvery?: number;
  /** Raised when the shape of the state changes: snapshots of an older one are then passed over. */
  readonly stateVersion?: number;
}
