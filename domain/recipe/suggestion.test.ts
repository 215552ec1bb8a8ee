import { expect } from 'chai';
import type { RecipeStep } from '../../contracts/resources/recipe.ts';
import type { PastTurn } from './suggestion.ts';
import { did, suggestionOf, turn, turnsOf } from './testing.ts';

const shop = 'http://shop.test/';
const suggested = (turns: readonly PastTurn[], initialUrl: string | null = null) => {
  const outcome = suggestionOf({ initialUrl, turns: turnsOf(...turns) });
  if ('reason' in outcome) throw new Error(outcome.reason);
  return outcome.suggested;
};
const reason = (...turns: readonly PastTurn[]) => {
  const outcome = suggestionOf({ initialUrl: null, turns });
  return 'reason' in outcome ? outcome.reason : undefined;
};
/** Steps in short form: the opened address, or the action and its element. */
const inShort = (steps: readonly RecipeStep[]) =>
  steps.map(({ kind, target, url }) =>
    target === undefined ? `${kind} ${typeof url === 'string' ? url : ''}`.trim() : target.text,
  );

describe('the recipe suggested from an agent session', () => {
  it('has its steps, with elements by selector and as people see them', () => {
    expect(suggested([turn(did.open(shop), did.tap('Buy'))]).steps).to.deep.equal([
      { kind: 'navigate', url: shop },
      {
        kind: 'interact',
        action: { kind: 'tap', selector: '#buy' },
        target: { selector: '#buy', text: 'Buy', role: 'button' },
      },
    ]);
  });

  it('does not exist if nothing was executed', () => {
    expect(reason()).to.match(/No turn/);
    expect(reason(turn())).to.match(/No turn/);
    expect(reason(turn(did.open(shop), did.failed()))).to.match(/No turn/);
    expect(reason(turn(did.upload()))).to.match(/Nothing/);
    expect(reason(turn(...Array.from({ length: 51 }, () => did.scroll())))).to.match(/at most 50/);
  });

  it('is made quickly of thousands of turns', () => {
    const turns = Array.from({ length: 2000 }, (_, index) => turn(did.open(shop), did.tap(`Item ${index}`)));
    const before = process.cpuUsage();
    expect(reason(...turns)).to.match(/did 4000 things/);
    expect(process.cpuUsage(before).user).to.be.below(500_000);
  });

  it('does not exist if more was done than is held', () => {
    const turns = Array.from({ length: 3000 }, (_, index) => turn(did.open(shop), did.tap(`Item ${index}`)));
    expect(reason(...turns)).to.match(/more than 5000 things/);
  });

  it('has a parameter for each typed text, with that text as its default', () => {
    const { steps, parameters } = suggested([
      turn(did.type('Full name', 'Ada'), did.type('Full name', 'Bob')),
    ]);
    expect(steps.map(({ action }) => action)).to.deep.equal([
      { kind: 'type', text: { parameter: 'full_name' }, selector: '#full name' },
      { kind: 'type', text: { parameter: 'full_name_2' }, selector: '#full name' },
    ]);
    expect(parameters).to.deep.equal([
      { name: 'full_name', type: 'string', sensitive: false, default: 'Ada' },
      { name: 'full_name_2', type: 'string', sensitive: false, default: 'Bob' },
    ]);
  });

  it('has one parameter without a default for a variable, with its name, however often it was typed', () => {
    const typed = [
      did.typeVariable('New password', 'Key_2'),
      did.typeVariable('Repeat it', 'Key_2'),
      did.typeVariable('City', 'city', false),
      did.type('City', 'Ulm'),
    ];
    const { steps, parameters } = suggested([turn(...typed)]);
    expect(steps.map(({ action }) => (action as { text: unknown }).text)).to.deep.equal([
      { parameter: 'Key_2' },
      { parameter: 'Key_2' },
      { parameter: 'city' },
      { parameter: 'city_2' },
    ]);
    expect(parameters).to.deep.equal([
      { name: 'Key_2', type: 'string', sensitive: true },
      { name: 'city', type: 'string', sensitive: false },
      { name: 'city_2', type: 'string', sensitive: false, default: 'Ulm' },
    ]);
    expect(JSON.stringify(steps)).not.to.contain('variable');
  });

  it('has a sensitive parameter without a default for a sensitive text', () => {
    expect(suggested([turn(did.typeSecret('Key'))]).parameters).to.deep.equal([
      { name: 'key', type: 'string', sensitive: true },
    ]);
  });

  it('names a parameter by its field’s selector if the field’s visible name is used already', () => {
    const name = { text: 'Name', role: 'textbox' };
    const fields = [
      { selector: '#first', ...name },
      { selector: 'form > input[name="last-name"]', ...name },
      { selector: '#first', ...name },
      { selector: 'form > input:nth-of-type(4)', ...name },
      { selector: 'form > input:nth-of-type(4)', text: '', role: 'textbox' },
    ];
    const typed = fields.map((field) => did.typeInto(field, 'Ada'));
    const secrets = [did.typeSecret('Name'), did.typeSecret('Name')];
    const { parameters } = suggested([turn(...typed, ...secrets)]);
    expect(parameters.map((parameter) => parameter.name)).to.deep.equal([
      'name',
      'last_name',
      'first',
      'name_2',
      'form_input_nth_of_type_4',
      'password',
      'password_2',
    ]);
  });

  it('leaves out failed turns, but keeps the address that they opened for the next one', () => {
    const failed = turn(did.open(shop), did.tap('Nope'), did.failed());
    expect(inShort(suggested([failed, turn(did.tap('Buy'))]).steps)).to.deep.equal([
      `navigate ${shop}`,
      'Buy',
    ]);
    const again = [failed, turn(did.open(shop), did.tap('Buy'))];
    expect(inShort(suggested(again).steps)).to.deep.equal([`navigate ${shop}`, 'Buy']);
  });

  it('leaves out addresses that were left without an action', () => {
    const turns = [
      turn(did.open('http://a.test/')),
      turn(did.scroll()),
      turn(did.open(shop), did.tap('Buy')),
    ];
    expect(inShort(suggested(turns).steps)).to.deep.equal([`navigate ${shop}`, 'Buy']);
  });

  it('begins with the initial address of the session, unless another one was opened first', () => {
    expect(inShort(suggested([turn(did.tap('Buy'))], shop).steps)).to.deep.equal([`navigate ${shop}`, 'Buy']);
    expect(inShort(suggested([turn(did.open(shop))], 'http://a.test/').steps)).to.deep.equal([
      `navigate ${shop}`,
    ]);
  });

  it('merges turns that repeat the same steps, with the differences as parameters', () => {
    const order = (url: string, size: string, gift: boolean) =>
      turn(did.open(url), did.choose('Size', size), did.tick('Gift', gift), did.tap('Buy'));
    const { steps, parameters } = suggested([order(shop, 'S', false), order(`${shop}2`, 'L', true)]);
    expect(steps).to.have.length(4);
    expect(parameters).to.deep.equal([
      { name: 'url', type: 'string', sensitive: false, default: `${shop}2` },
      { name: 'size', type: 'string', sensitive: false, default: 'L' },
      { name: 'gift', type: 'boolean', sensitive: false, default: true },
    ]);
  });

  it('merges repetitions of several turns each', () => {
    const run = (name: string) => [turn(did.open(shop)), turn(did.type('Name', name)), turn(did.tap('Buy'))];
    const { steps, parameters } = suggested([...run('Ada'), ...run('Bob')]);
    expect(inShort(steps)).to.deep.equal([`navigate ${shop}`, 'Name', 'Buy']);
    expect(parameters.map(({ default: usual }) => usual)).to.deep.equal(['Bob']);
  });

  it('keeps equal values, and taps that were meant twice', () => {
    const { steps, parameters } = suggested([
      turn(did.open(shop), did.choose('Size', 'S')),
      turn(did.tap('Next')),
      turn(did.tap('Next')),
    ]);
    expect(inShort(steps)).to.deep.equal([`navigate ${shop}`, 'Size', 'Next', 'Next']);
    expect(parameters).to.deep.equal([]);
  });

  it('waits for the typed text of each run', () => {
    const { steps } = suggested([turn(did.type('Name', 'Ada'), did.await('Hello Ada!'))]);
    expect(steps[1]).to.deep.equal({
      kind: 'wait',
      condition: { kind: 'text', text: { parameter: 'name', before: 'Hello ', after: '!' } },
    });
  });

  it('counts steps that cannot be repeated', () => {
    const { steps, omitted } = suggested([turn(did.open(shop), did.upload(), did.await('Key [hidden]'))]);
    expect([steps.length, omitted]).to.deep.equal([1, 2]);
  });

  it('names the entries of the transcript from which it was made', () => {
    const turns = [
      turn(did.failed()),
      turn(did.open(shop)),
      turn(),
      turn(did.tap('Buy')),
      turn(did.failed()),
    ];
    expect(suggested(turns)).to.include({ fromIndex: 2, toIndex: 7 });
  });

  it('has the element that was found when a recipe healed', () => {
    const first = suggested([turn(did.tap('Buy'))]);
    const found = { selector: '#order', text: 'Buy', role: 'button' };
    const results = [{ ...did.tap('Buy'), target: found, healed: true as const }];
    const again = suggested([{ ...turn(...results), recipe: first }]);
    expect(again.steps).to.deep.equal([
      { kind: 'interact', action: { kind: 'tap', selector: '#order' }, target: found },
    ]);
  });
});
