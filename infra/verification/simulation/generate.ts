import fc from 'fast-check';
import { fates, sessionActionKinds, type Action } from './actions.ts';
import type { Run } from './simulate.ts';
import { webhookActionKinds } from './webhook-actions.ts';

type Kind = Action['kind'];

interface Shape {
  /** First actions of every actor. */
  readonly first?: readonly Kind[];
  /** Maximal number of actions after those. */
  readonly actions?: number;
  readonly choices?: number;
}

/**
 * Generates runs of up to four actors. Shorter scripts and smaller choices are simpler: turns in order, without faults.
 */
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

/** Weighted towards what clients do most. */
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
