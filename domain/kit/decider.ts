import type { Category, DomainEvent } from '../../contracts/events/catalogue.ts';

/**
 * The rules of one stream category, as three pure functions.
 *
 * - `decide` returns the events of a command, none if nothing changes; throws a `Refusal` if it is not allowed.
 * - `evolve` folds an event into the state and never throws; an event that does not fit the state leaves it unchanged.
 * - Neither reads a clock or makes an id: time, ids and random values are fields of the command.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly category: Category;
  readonly initialState: State;
  readonly decide: (command: Command, state: State) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
  /** Interval of snapshots, in events; undefined: the stream is always read from its start. */
  readonly snapshotEvery?: number;
  /** Raised when the shape of the state changes: snapshots of an older version are then ignored. */
  readonly stateVersion?: number;
}

/** A command's name and arguments. `at` is the time of the decision, ISO 8601. */
export type Command<Type extends string, Fields = unknown> = {
  readonly type: Type;
  readonly at: string;
} & Readonly<Fields>;

/** The commands of an aggregate, from a table of their names and fields. */
export type CommandsOf<Table> = {
  readonly [Type in keyof Table & string]: Command<Type, Table[Type]>;
}[keyof Table & string];

/** One command of an aggregate's, by its name. */
export type CommandOf<Any extends { readonly type: string }, Type extends Any['type']> = Extract<
  Any,
  { readonly type: Type }
>;

/** The rule of each command, by its name. */
export type Rules<State, Any extends { readonly type: string }, Event> = {
  readonly [Type in Any['type']]: (state: State, command: CommandOf<Any, Type>) => readonly Event[];
};

/** A `decide` that applies the rule of the command's name. */
export const decideBy =
  <State, Any extends { readonly type: string }, Event>(rules: Rules<State, Any, Event>) =>
  (command: Any, state: State): readonly Event[] => {
    // The rule under a command's name takes this command; the compiler does not relate the two.
    const rule = rules[command.type as Any['type']] as (state: State, command: Any) => readonly Event[];
    return rule(state, command);
  };

/** The data of one type of event. */
export type DataOf<Event extends DomainEvent, Type extends Event['type']> = Extract<
  Event,
  { readonly type: Type }
>['data'];

/** A function for each type of event, which takes the data of its type. */
export type ByType<Event extends DomainEvent, Result, Args extends readonly unknown[] = []> = {
  readonly [Type in Event['type']]: (data: DataOf<Event, Type>, ...args: Args) => Result;
};

/** Calls the table's function for the event; undefined if it has none. */
export function byType<Event extends DomainEvent, Result, Args extends readonly unknown[]>(
  table: Partial<ByType<Event, Result, Args>>,
  { type, data }: Event,
  ...args: Args
): Result | undefined {
  // The function under an event's type takes its data; the compiler does not relate the two.
  const of: ((data: Event['data'], ...args: Args) => Result) | undefined = table[type as Event['type']];
  return of?.(data, ...args);
}
