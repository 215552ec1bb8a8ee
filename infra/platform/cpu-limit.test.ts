import { expect } from 'chai';
import { CpuLimitExceeded, withCpuLimit } from './cpu-limit.ts';

describe('bounded work', () => {
  it('returns its result, or throws its error', () => {
    expect(withCpuLimit(1000, () => [1, 2])).to.deep.equal([1, 2]);
    const fails = () => {
      throw new RangeError('No.');
    };
    expect(() => withCpuLimit(1000, fails)).to.throw(RangeError, 'No.');
  });

  it('is terminated after its time limit, be it a loop or a pattern', () => {
    const hostile: readonly (() => unknown)[] = [
      () => {
        for (;;);
      },
      () => /^(a+)+$/.test(`${'a'.repeat(60)}!`),
    ];
    for (const work of hostile) expect(() => withCpuLimit(50, work)).to.throw(CpuLimitExceeded);
  });
});
