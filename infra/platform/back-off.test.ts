import { expect } from 'chai';
import { pauseMs } from './back-off.ts';

describe('a back-off', () => {
  it('doubles its pauses up to the longest', () => {
    const pauses = [0, 1, 2, 3, 60].map((tries) => pauseMs({ firstMs: 100, longestMs: 500 }, tries));
    expect(pauses).to.deep.equal([100, 200, 400, 500, 500]);
  });

  it('is shorter by at most its jitter', () => {
    const backOff = { firstMs: 100, longestMs: 500, jitter: 0.5 };
    expect([0, 0.5, 1].map((chance) => pauseMs(backOff, 0, () => chance))).to.deep.equal([100, 75, 50]);
  });
});
