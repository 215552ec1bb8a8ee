import assert from 'node:assert/strict';
import fc from 'fast-check';
import { validateEvent } from '../../commands/engine/recording.ts';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { Refusal } from '../../contracts/problems.ts';
import type { Decider } from '../kit/decider.ts';

/** A row of a contract's table of states. */
export type Transition<Status extends string, Type extends string> = readonly [
  from: Status,
  event: Type,
  to: Status,
];

export interface DeciderModel<State, Command, Event extends DomainEvent, Status extends string> {
  readonly decider: Decider<State, Command, Event>;
  readonly command: fc.Arbitrary<Command>;
  readonly statusOf: (state: State) => Status;
  /** All rows, and no others. */
  readonly transitions: readonly Transition<NoInfer<Status>, Event['type']>[];
  /** Invariant of the state after a command. */
  readonly invariant?: (after: State, command: Command) => void;
}

const maxCommands = 30;
/** Enough to reach every row of every table; the seed is fixed, so that each run reaches them. */
const seed = 20260105;
const numRuns = 400;

/** A suite of the properties of any decider. */
export const describeDecider = <State, Command, Event extends DomainEvent, Status extends string>(
  title: string,
  model: DeciderModel<State, Command, Event, Status>,
): void => {
  describe(title, () => {
    for (const [sentence, check] of Object.entries(deciderProperties(model))) it(sentence, check);
  });
};

/** The properties by title. Each check throws its finding. */
const deciderProperties = <State, Command, Event extends DomainEvent, Status extends string>(
  model: DeciderModel<State, Command, Event, Status>,
): Readonly<Record<string, () => void>> => ({
  'moves only as the contract’s table says, and along every row of it': () => movesAlongTheTable(model),
  'makes only events that their contract allows': () =>
    forAny(model, ({ history }) => history.forEach((event) => validateEvent(model.decider.category, event))),
  'decides the same on the same state, and leaves it as it was': () =>
    forAny(model, ({ chapters }) => {
      for (const { command, before, events } of chapters) {
        assert.deepStrictEqual(attempt(model.decider, frozen(command), frozen(before)), events);
      }
    }),
  'does nothing a second time': () =>
    forAny(model, ({ chapters }) => {
      for (const { command, after, events } of chapters) {
        if (events.length > 0) assert.deepStrictEqual(attempt(model.decider, command, after), []);
      }
    }),
  'holds what it promises after every command': () =>
    forAny(model, ({ chapters }) => {
      for (const { after, command, events } of chapters) {
        if (events.length > 0) model.invariant?.(after, command);
      }
    }),
  'replays to the state it had, also from a snapshot of any moment': () => replays(model),
  'never fails on events in any order, however often each comes, and never leaves an end': () =>
    toleratesAnyOrder(model),
});

type Model<State, Command, Event extends DomainEvent, Status extends string> = DeciderModel<
  State,
  Command,
  Event,
  Status
>;

const forAny = <State, Command, Event extends DomainEvent, Status extends string>(
  { decider, command }: Model<State, Command, Event, Status>,
  check: (story: Story<State, Command, Event>) => void,
): void =>
  fc.assert(
    fc.property(sequenceOf(withRepeats(command)), (commands) => check(tell(decider, commands.flat()))),
    { seed, numRuns },
  );

const sequenceOf = <Item>(item: fc.Arbitrary<Item>): fc.Arbitrary<Item[]> =>
  fc.array(item, { maxLength: maxCommands, size: 'max' });

/** `evolve` with frozen arguments, so that a write to them throws. */
const evolveOf =
  <State, Command, Event extends DomainEvent>({ evolve }: Decider<State, Command, Event>) =>
  (state: State, event: Event): State =>
    evolve(frozen(state), frozen(event));

function movesAlongTheTable<State, Command, Event extends DomainEvent, Status extends string>(
  model: Model<State, Command, Event, Status>,
): void {
  const { decider, statusOf, transitions } = model;
  const evolve = evolveOf(decider);
  const seen = new Set<string>();
  forAny(model, ({ chapters }) => {
    for (const { before, events } of chapters) {
      events.reduce((state, event) => {
        const next = evolve(state, event);
        seen.add(`${statusOf(state)} --${event.type}--> ${statusOf(next)}`);
        return next;
      }, before);
    }
  });
  const listed = transitions.map(([from, type, to]) => `${from} --${type}--> ${to}`);
  assert.deepStrictEqual([...seen].sort(), listed.sort());
}

function replays<State, Command, Event extends DomainEvent, Status extends string>(
  model: Model<State, Command, Event, Status>,
): void {
  const evolve = evolveOf(model.decider);
  forAny(model, ({ chapters, history, state }) => {
    const stored = json(history);
    assert.deepStrictEqual(stored.reduce(evolve, model.decider.initialState), state);
    const middle = chapters[chapters.length >> 1];
    if (middle === undefined) return;
    const tail = stored.slice(middle.historyLength);
    assert.deepStrictEqual(tail.reduce(evolve, json(middle.after)), state);
  });
}

function toleratesAnyOrder<State, Command, Event extends DomainEvent, Status extends string>({
  decider,
  command,
  statusOf,
  transitions,
}: Model<State, Command, Event, Status>): void {
  const evolve = evolveOf(decider);
  const statuses = new Set(transitions.flatMap(([from, , to]) => [from, to]));
  const ends = new Set(transitions.map(([, , to]) => to));
  for (const [from, , to] of transitions) if (from !== to) ends.delete(from);
  const anyOrder = fc
    .tuple(sequenceOf(command), sequenceOf(command))
    .map((both) => both.flatMap((commands) => tell(decider, commands).history))
    .chain((events) => (events.length === 0 ? fc.constant(events) : sequenceOf(fc.constantFrom(...events))));
  const check = fc.property(anyOrder, (events) => {
    events.reduce((state, event) => {
      const next = evolve(state, event);
      assert.ok(statuses.has(statusOf(next)), `the status ${statusOf(next)} is in no table`);
      if (ends.has(statusOf(state))) assert.equal(statusOf(next), statusOf(state));
      return next;
    }, decider.initialState);
  });
  fc.assert(check, { seed, numRuns: numRuns / 2 });
}

interface Chapter<State, Command, Event> {
  readonly command: Command;
  readonly before: State;
  readonly events: readonly Event[];
  readonly after: State;
  /** Number of events up to `after`. */
  readonly historyLength: number;
}

interface Story<State, Command, Event> {
  readonly chapters: readonly Chapter<State, Command, Event>[];
  readonly history: readonly Event[];
  readonly state: State;
}

function tell<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  commands: readonly Command[],
): Story<State, Command, Event> {
  const chapters: Chapter<State, Command, Event>[] = [];
  const history: Event[] = [];
  let state = decider.initialState;
  for (const command of commands) {
    const before = state;
    const events = attempt(decider, command, before);
    history.push(...events);
    state = events.reduce(decider.evolve, before);
    chapters.push({ command, before, events, after: state, historyLength: history.length });
  }
  return { chapters, history, state };
}

/** Clients, timers and process managers repeat commands. */
const withRepeats = <Command>(command: fc.Arbitrary<Command>): fc.Arbitrary<Command[]> =>
  fc.tuple(command, fc.nat(9)).map(([one, dice]) => (dice === 0 ? [one, one] : [one]));

/** A refusal decides nothing. Any other error is a bug of the rule. */
function attempt<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  command: Command,
  state: State,
): readonly Event[] {
  try {
    return decider.decide(command, state);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

/** The value after storage as JSON. */
const json = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** Freezes the value, so that a rule that writes to it throws. */
function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
