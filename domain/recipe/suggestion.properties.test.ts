import { expect } from 'chai';
import fc from 'fast-check';
import type { IntentResult, ShownIntent } from '../../contracts/resources/agent-turn.ts';
import type { RecipeContents, RecipeParameter } from '../../contracts/resources/recipe.ts';
import { fillPlaceholders, placeholdersOf, valuesOf } from './placeholders.ts';
import type { PastTurn } from './suggestion.ts';
import { did, suggestionOf, turn, turnsOf } from './testing.ts';

const name = fc.constantFrom('Name', 'Key', 'Größe', '名前');
const text = fc.constantFrom('Ada', 'Bob', '', 'x', 'Hello Ada');
const url = fc.constantFrom('http://a.test/', 'http://b.test/');
const step: fc.Arbitrary<IntentResult> = fc.oneof(
  url.map(did.open),
  fc.tuple(name, text).map(([label, typed]) => did.type(label, typed)),
  name.map(did.typeSecret),
  name.map(did.tap),
  fc.tuple(name, text).map(([label, value]) => did.choose(label, value)),
  fc.tuple(name, fc.boolean()).map(([label, checked]) => did.tick(label, checked)),
  text.map(did.await),
  fc.constant(did.scroll()),
  fc.constant(did.upload()),
);
const past = fc
  .array(
    fc.array(fc.oneof({ weight: 12, arbitrary: step }, { weight: 1, arbitrary: fc.constant(did.failed()) }), {
      maxLength: 5,
    }),
    { maxLength: 8 },
  )
  .map((turns) => turnsOf(...turns.map((results) => turn(...results))));

/** A value other than the default, of the parameter's type. */
const another = ({ name: of, type }: RecipeParameter) => (type === 'boolean' ? true : `other ${of}`);

/** The recorded turn of a recipe's run, without sensitive texts. */
function runOf(recipe: RecipeContents): PastTurn {
  const given = Object.fromEntries(recipe.parameters.map((each) => [each.name, another(each)]));
  const checked = valuesOf(recipe.parameters, given);
  if ('misfits' in checked) throw new Error('The values fit.');
  const results = fillPlaceholders(recipe.steps, checked.values).map(
    ({ target, ...intent }): IntentResult => ({
      ...{ kind: 'success', intent: shown(intent as ShownIntent), summary: 'Done.' },
      ...(target && { target }),
    }),
  );
  return { ok: true, fromIndex: 0, toIndex: 1, results, recipe };
}

function shown(intent: ShownIntent): ShownIntent {
  const { action } = intent as { readonly action?: Readonly<Record<string, unknown>> };
  if (action?.sensitive !== true) return intent;
  const { text: _typed, ...rest } = action;
  return { ...intent, action: rest };
}

describe('the recipe suggested from any agent session', () => {
  it('is the same for a run of it, whatever the values', () => {
    fc.assert(
      fc.property(past, fc.integer({ min: 1, max: 3 }), (turns, runs) => {
        const first = suggestionOf({ initialUrl: null, turns });
        if ('reason' in first) return;
        const again = suggestionOf({
          initialUrl: null,
          turns: Array.from({ length: runs }, () => runOf(first.suggested)),
        });
        if ('reason' in again) throw new Error(again.reason);
        // Several runs without values may be intended.
        if (runs > 1 && first.suggested.parameters.length === 0) return;
        expect(again.suggested.steps).to.deep.equal(first.suggested.steps);
        expect(again.suggested.parameters).to.deep.equal(first.suggested.parameters);
      }),
      { numRuns: 500 },
    );
  });

  it('names each parameter once, and declares each one that it uses', () => {
    fc.assert(
      fc.property(past, (turns) => {
        const outcome = suggestionOf({ initialUrl: null, turns });
        if ('reason' in outcome) return;
        const { steps, parameters } = outcome.suggested;
        const declared = parameters.map((each) => each.name);
        expect(new Set(declared).size).to.equal(declared.length);
        const used = new Set(steps.flatMap(placeholdersOf).map(({ parameter }) => parameter));
        expect([...used].sort()).to.deep.equal([...declared].sort());
        for (const each of parameters) expect(each.name).to.match(/^[a-z][a-z0-9_]{0,59}$/);
      }),
      { numRuns: 500 },
    );
  });
});
