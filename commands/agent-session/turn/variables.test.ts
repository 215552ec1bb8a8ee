import { expect } from 'chai';
import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import { shownIntent } from './secrets.ts';
import { filledIntent, typesVariable } from './variables.ts';

const type = (variable: string): Intent => ({
  kind: 'interact',
  action: { kind: 'type', label: 'Key', variable },
});
const typing = (action: object) => ({ kind: 'interact', action: { kind: 'type', label: 'Key', ...action } });
const variables = { password: { value: 'hunter-2' }, city: { value: 'Ulm', sensitive: false } };

describe('a step that types a variable', () => {
  it('gets the value on its way to the browser, as sensitive unless declared otherwise', () => {
    expect(filledIntent(type('password'), variables)).to.deep.equal(
      typing({ text: 'hunter-2', sensitive: true }),
    );
    expect(filledIntent(type('city'), variables)).to.deep.equal(typing({ text: 'Ulm' }));
  });

  it('is null if the variable is missing, even if every object has a property of that name', () => {
    for (const name of ['missing', 'constructor', 'toString'])
      expect(filledIntent(type(name), variables), name).to.equal(null);
    expect(filledIntent(type('password'), null)).to.equal(null);
  });

  it('is shown with the name of the variable only', () => {
    const shown = typing({ variable: 'password', sensitive: true });
    expect(shownIntent(type('password'), [], variables)).to.deep.equal(shown);
    expect(shownIntent(type('city'), [], variables)).to.deep.equal(typing({ variable: 'city' }));
    expect(shownIntent(type('missing'), [], variables)).to.deep.equal(typing({ variable: 'missing' }));
  });

  it('is distinguished from one that types a text', () => {
    const text: Intent = { kind: 'interact', action: { kind: 'type', label: 'Key', text: 'x' } };
    expect([typesVariable(type('city')), typesVariable(text)]).to.deep.equal([true, false]);
    expect(filledIntent(text, variables)).to.equal(text);
  });
});
