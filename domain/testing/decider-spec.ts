import assert from 'node:assert/strict';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { Refusal, type ProblemSlug } from '../../contracts/problems.ts';
import type { Decider } from '../kit/decider.ts';

/** Expected results of a command. Each assertion throws `AssertionError` with the difference. */
export interface Outcome<State, Event> {
  /** Exactly these events, in this order. */
  readonly then: (...events: readonly Event[]) => void;
  /** A refusal with this slug and, when given, exactly these extensions. */
  readonly refused: (slug: ProblemSlug, extensions?: Readonly<Record<string, unknown>>) => void;
  /** No events. */
  readonly nothing: () => void;
  /** The state after the decided events, for rules visible only in the state. */
  readonly leaves: (check: (state: State) => void) => void;
}

export interface GivenEvents<State, Command, Event> {
  readonly when: (command: Command) => Outcome<State, Event>;
}

export interface DeciderSpec<State, Command, Event> {
  /** The history of the stream, oldest first. */
  readonly given: (...history: readonly Event[]) => GivenEvents<State, Command, Event>;
}

/** `const { given } = deciderSpec(session)`: rules read as `given(events).when(command).then(events)`. */
export function deciderSpec<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
): DeciderSpec<State, Command, Event> {
  const fold = (events: readonly Event[], from: State): State => events.reduce(decider.evolve, from);
  return {
    given: (...history) => ({
      when: (command) => {
        const state = fold(history, decider.initialState);
        const decide = (): readonly Event[] => decider.decide(command, state);
        return {
          then: (...expected) => assert.deepStrictEqual([...decide()], expected),
          nothing: () => assert.deepStrictEqual([...decide()], []),
          refused: (slug, extensions) => assertRefused(decide, slug, extensions),
          leaves: (check) => check(fold(decide(), state)),
        };
      },
    }),
  };
}

function assertRefused(
  decide: () => readonly DomainEvent[],
  slug: ProblemSlug,
  extensions: Readonly<Record<string, unknown>> | undefined,
): void {
  const seen = attempt(decide);
  const expected = extensions === undefined ? { refused: slug } : { refused: slug, extensions };
  const actual =
    seen instanceof Refusal
      ? { refused: seen.slug, ...(extensions === undefined ? {} : { extensions: seen.extensions }) }
      : { events: seen };
  assert.deepStrictEqual(actual, expected);
}

/** Errors other than refusals are bugs of the rule and are rethrown. */
function attempt(decide: () => readonly DomainEvent[]): readonly DomainEvent[] | Refusal {
  try {
    return [...decide()];
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
