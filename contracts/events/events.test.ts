import { expect } from 'chai';
import type { TSchema } from '../schema.ts';
import type { Category } from './catalogue.ts';
import { categories, type Repeated } from './index.ts';

describe('the events of the service', () => {
  it('have types that belong to one category each, so that a type alone finds its handler', () => {
    const types = Object.values(categories).flatMap((each) => Object.keys(each.types));
    expect(types.length).to.be.greaterThan(0);
    expect(types.filter((type, index) => types.indexOf(type) !== index)).to.deep.equal([]);
  });

  it('do not compile when two categories share a type', () => {
    type Account = Category<'account', { Renamed: TSchema; Closed: TSchema }>;
    type Team = Category<'team', { Renamed: TSchema }>;
    const repeated: Repeated<readonly [Account, Team]> = 'Renamed';
    // @ts-expect-error: a type of one category alone is not repeated.
    const single: Repeated<readonly [Account, Team]> = 'Closed';
    expect([repeated, single]).to.deep.equal(['Renamed', 'Closed']);
  });
});
