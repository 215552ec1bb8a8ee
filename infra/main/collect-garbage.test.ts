import { cachedDataVersionTag } from 'node:v8';
import { expect } from 'chai';
import sinon from 'sinon';
import { collectGarbageOnceServing } from './collect-garbage.ts';

describe('the collection of what starting leaves behind', () => {
  afterEach(() => sinon.restore());

  it('leaves V8 as it was, so that a later process can use what this one keeps of its program', () => {
    const clock = sinon.useFakeTimers();
    const before = cachedDataVersionTag();
    collectGarbageOnceServing();
    clock.tick(3_000);
    expect(clock.countTimers()).to.equal(0);
    expect(cachedDataVersionTag()).to.equal(before);
  });
});
