import { expect } from 'chai';
import { Type } from '../schema.ts';
import { category } from './catalogue.ts';
import { categories, type Repeated } from './index.ts';

describe('the events of the service', () => {
  it('have types that belong to one category each, so that a type alone finds its handler', () => {
    const types = Object.values(categories).flatMap((each) => Object.keys(each.types));
    expect(types.length).to.be.greaterThan(0);
    expect(types.filter((type, index) => types.indexOf(type) !== index)).to.deep.equal([]);
  });

  it('do not compile when two categories share a type', () => {
    const account = category('account', { Renamed: Type.Object({}), Closed: Type.Object({}) });
    const team = category('team', { Renamed: Type.Object({}) });
    const repeated: Repeated<readonly [typeof account, typeof team]> = 'Renamed';
    // @ts-expect-error: a type of one category alone is not repeated.
    const single: Repeated<readonly [typeof account, typeof team]> = 'Closed';
    expect([repeated, single]).to.deep.equal(['Renamed', 'Closed']);
  });
});
