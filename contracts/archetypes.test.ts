import { expect } from 'chai';
import Compile from 'typebox/compile';
import { archetypeCatalogue, findArchetype } from './archetypes.ts';
import { ArchetypeCatalogue } from './resources/archetype.ts';

describe('the archetype catalogue', () => {
  it('matches its schema', () => {
    expect(Compile(ArchetypeCatalogue).Check(archetypeCatalogue)).to.equal(true);
  });

  it('has a default, distinct ids, and finds each by its id', () => {
    const ids = archetypeCatalogue.archetypes.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.include(archetypeCatalogue.default);
    for (const entry of archetypeCatalogue.archetypes) expect(findArchetype(entry.id)).to.equal(entry);
    expect(findArchetype('android')).to.equal(undefined);
  });

  it('presents an iPhone whose page is no larger than its screen', () => {
    for (const { user_agent, viewport, screen } of archetypeCatalogue.archetypes) {
      expect(user_agent).to.match(/^Mozilla\/5\.0 \(iPhone; CPU iPhone OS \d+_\d+ like Mac OS X\)/);
      expect(viewport.width).to.equal(screen.width);
      expect(viewport.height).to.be.below(screen.height);
    }
  });
});
