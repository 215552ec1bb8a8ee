import { expect } from 'chai';
import type { Action, Condition } from '../../contracts/resources/session.ts';
import { defaultTimeLimit } from './time-limit.ts';

describe('the default time limit of an operation', () => {
  const interactions: readonly (readonly [Action, number])[] = [
    [{ kind: 'tap', selector: '#a' }, 30_000],
    [{ kind: 'long_press', selector: '#a' }, 30_000],
    [{ kind: 'long_press', selector: '#a', duration_ms: 40_000 }, 70_000],
    [{ kind: 'swipe', x1: 0, y1: 0, x2: 9, y2: 9, duration_ms: 60_000 }, 90_000],
    [{ kind: 'pinch', x: 1, y: 1, scale: 2, duration_ms: 500 }, 30_500],
    [{ kind: 'type', selector: '#a', text: 'x'.repeat(100_000) }, 30_000],
    [{ kind: 'type', selector: '#a', text: '😀é', delay_ms: 1000 }, 32_000],
    [{ kind: 'type', selector: '#a', text: 'x'.repeat(100_000), delay_ms: 1000 }, 120_000],
  ];
  for (const [action, limit] of interactions)
    it(`is ${limit} ms for ${JSON.stringify(action).slice(0, 80)}`, () => {
      expect(defaultTimeLimit('interact', { action }, 30_000)).to.equal(limit);
    });

  const waits: readonly (readonly [Condition, number])[] = [
    [{ kind: 'text', text: 'Done' }, 30_000],
    [{ kind: 'delay', ms: 0 }, 30_000],
    [{ kind: 'delay', ms: 60_000 }, 90_000],
  ];
  for (const [condition, limit] of waits)
    it(`is ${limit} ms for a wait for ${JSON.stringify(condition)}`, () => {
      expect(defaultTimeLimit('wait', { condition }, 30_000)).to.equal(limit);
    });

  it('is never more than a request may ask for, however long the usual one is', () => {
    expect(defaultTimeLimit('wait', { condition: { kind: 'delay', ms: 5000 } }, 300_000)).to.equal(120_000);
    expect(defaultTimeLimit('navigate', { url: 'http://a.test/' }, 300_000)).to.equal(120_000);
    expect(defaultTimeLimit('navigate', { url: 'http://a.test/' }, 3000)).to.equal(3000);
  });
});
