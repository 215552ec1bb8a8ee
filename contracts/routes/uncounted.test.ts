import { expect } from 'chai';
import { routes, type Route } from './index.ts';

describe('requests without a rate bucket', () => {
  it('are only those whose answer needs no store', () => {
    const uncounted = (routes as readonly Route[]).filter(({ bucket }) => bucket === null);
    expect(uncounted.map(({ id }) => id)).to.have.members([
      'archetypes.list',
      'oauth.metadata',
      'email.unsubscribe-page',
      // Folded in memory.
      'status.get',
      'status.stream',
      'status.sla',
      'status.feed',
    ]);
  });
});
