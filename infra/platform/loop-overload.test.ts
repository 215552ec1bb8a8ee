import { expect } from 'chai';
import { until } from '../verification/testbed/index.ts';
import { LoopDelays, watchLoop } from './loop-overload.ts';

describe('an event loop', () => {
  /** Whether it is overloaded at the end of each turn, by their durations in milliseconds. */
  function overloadedIn(...turns: number[]): readonly boolean[] {
    let now = 1_000;
    const delays = new LoopDelays(now);
    return turns.map((duration) => {
      now += duration;
      const isOverloaded = delays.isOverloaded(now);
      delays.probe(now);
      return isOverloaded;
    });
  }

  it('is overloaded in the third turn in a row that delays a probe by more than a second, and in those after it', () => {
    expect(overloadedIn(200, 1_300, 1_300, 1_300, 4_000)).to.deep.equal([false, false, false, true, true]);
  });

  it('is overloaded only from the moment on from which the turn is late, so that each turn does some work', () => {
    const delays = new LoopDelays(0);
    for (const now of [1_300, 2_600]) delays.probe(now);
    expect([2_600, 3_800, 3_801].map((now) => delays.isOverloaded(now))).to.deep.equal([false, false, true]);
  });

  it('is no longer overloaded after a turn that delays no probe as long', () => {
    const late = [1_300, 1_300, 1_300];
    expect(overloadedIn(...late, 1_100, ...late).flatMap((is, at) => (is ? [at] : []))).to.deep.equal([2, 6]);
  });

  it('is not overloaded by pauses, however long, and the work that waited for their end, nor by shorter delays', () => {
    expect(overloadedIn(60_000, 200, 60_000, 1_500, 200, 60_000, 200)).not.to.include(true);
    expect(overloadedIn(...Array<number>(50).fill(1_200))).not.to.include(true);
  });

  it('is watched: that work fills each of its turns is noticed, and that it ends', async () => {
    const changes: boolean[] = [];
    const seen: boolean[] = [];
    const loop = watchLoop((isOverloaded) => changes.push(isOverloaded), {
      ...{ everyMs: 5, lateMs: 20, inARow: 3 },
    });
    expect(loop.isOverloaded()).to.equal(false);
    const fillTurns = () => {
      for (const end = performance.now() + 40; performance.now() < end;);
      seen.push(loop.isOverloaded());
      if (!changes.includes(true)) setImmediate(fillTurns);
    };
    fillTurns();
    await until(() => changes.includes(true));
    expect(seen).to.include(true);
    await until(() => !loop.isOverloaded() && changes.includes(false));
    expect(changes.slice(0, 2)).to.deep.equal([true, false]);
    loop.close();
  });
});
