import { expect } from 'chai';
import { monthlyCap } from './bundled-llm.ts';

describe('the monthly cap of the bundled model', () => {
  it('is the account’s own, and never above its present ceiling', () => {
    const caps: readonly [own: number | null, ceiling: number | null, cap: number][] = [
      [null, null, 2000],
      [500, null, 500],
      [null, 5000, 5000],
      [4000, null, 2000],
      [4000, 5000, 4000],
      [500, 100, 100],
      [0, null, 0],
    ];
    for (const [capCents, ceilingCents, cap] of caps)
      expect(monthlyCap({ capCents, ceilingCents }, 2000)).to.equal(cap);
  });
});
