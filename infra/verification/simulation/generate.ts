import fc from 'fast-check';
import { fates, sessionActionKinds, type Action } from './actions.ts';
import type { Run } from './simulate.ts';
import { webhookActionKinds } from './webhook-actions.ts';

type Kind = Action['kind'];

interface Shape {
  /** What every actor begins with. */
  readonly first?: readonly Kind[];
  /** How many follow at most. */
  readonly actions?: number;
  readonly choices?: number;
}

/** Runs of up to four actors. Shorter scripts and smaller choices are simpler: plain turns, nothing failing. */
function runsOf(
  kinds: readonly Kind[],
  { first = [], actions: maxLength = 5, choices = 250 }: Shape = {},
): fc.Arbitrary<Run> {
  const oneOf = (some: readonly Kind[]): fc.Arbitrary<Action> =>
    fc.record({ kind: fc.constantFrom(...some), pick: fc.nat(11) });
  const opening = fc.tuple(...first.map((kind) => oneOf([kind])));
  const rest = fc.array(oneOf(kinds), { minLength: 1, maxLength });
  const actor = fc.tuple(opening, rest).map((actions) => actions.flat());
  return fc.record({
    script: fc.array(actor, { minLength: 1, maxLength: 4 }),
    choices: fc.array(fc.nat(255), { maxLength: choices, size: 'max' }),
  });
}

/** What clients do most, they do most. */
export const runs = {
  sessions: runsOf([
    ...sessionActionKinds,
    ...fates,
    ...(['create', 'create once', 'operate', 'operate', 'destroy', 'crash'] as const),
  ]),
  webhooks: runsOf(
    [
      ...webhookActionKinds,
      ...fates,
      ...(['create', 'create', 'destroy', 'destroy', 'test an endpoint', 'test an endpoint'] as const),
      ...(['change a receiver', 'crash', 'crash', 'let time pass', 'let time pass'] as const),
    ],
    { first: ['register an endpoint'], actions: 8, choices: 700 },
  ),
};
export type Subject = keyof typeof runs;
