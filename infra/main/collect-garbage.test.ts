import { cachedDataVersionTag } from 'node:v8';
import { expect } from 'chai';
import { collectGarbage } from './collect-garbage.ts';

describe('the collection of what starting leaves behind', () => {
  it('leaves V8 as it was, so that a later process can use what this one keeps of its program', () => {
    const before = cachedDataVersionTag();
    collectGarbage();
    expect(cachedDataVersionTag()).to.equal(before);
  });
});
