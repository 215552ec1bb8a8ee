import fc from 'fast-check';
import { actionKinds, type Action } from './actions.ts';
import type { Run } from './simulate.ts';

const kinds = fc.constantFrom(
  ...actionKinds,
  // What clients do most.
  ...(['create', 'create once', 'operate', 'operate', 'destroy', 'crash'] as const),
);
const action: fc.Arbitrary<Action> = fc.record({ kind: kinds, pick: fc.nat(11) });

/** Runs of up to four actors. Shorter scripts and smaller choices are simpler: plain turns, nothing failing. */
export const run: fc.Arbitrary<Run> = fc.record({
  script: fc.array(fc.array(action, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
  choices: fc.array(fc.nat(255), { maxLength: 250, size: 'max' }),
});
