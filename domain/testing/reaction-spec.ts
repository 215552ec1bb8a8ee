import assert from 'node:assert/strict';

/** Expected reactions to events. */
export interface Reactions<Command> {
  /** Exactly these commands, in this order. */
  readonly then: (...commands: readonly Command[]) => void;
  readonly nothing: () => void;
}

export interface ReactionSpec<Event, Command> {
  /** Events in log order. */
  readonly when: (...events: readonly Event[]) => Reactions<Command>;
}

/** `const { when } = reactionSpec(react)`: a test of a process manager's rule reads as `when(event).then(commands)`. */
export function reactionSpec<Event, Command>(
  react: (event: Event) => readonly Command[],
): ReactionSpec<Event, Command> {
  return {
    when: (...events) => ({
      then: (...expected) => assert.deepStrictEqual(events.flatMap(react), expected),
      nothing: () => assert.deepStrictEqual(events.flatMap(react), []),
    }),
  };
}
