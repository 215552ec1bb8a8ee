import { expect } from 'chai';
import { longestTurn } from '../../contracts/resources/agent-turn.ts';
import { mostHeld, Runs, type Draft } from './repeats.ts';

/** A step whose kind is read for each comparison. */
function countedStep() {
  let reads = 0;
  const step = {
    get kind() {
      reads += 1;
      return 'scroll' as const;
    },
    direction: 'down',
  };
  const draft: Draft = { step, varies: new Set() };
  return { draft, reads: () => reads };
}

describe('the repeated turns of an agent session', () => {
  it('are looked for among the latest ones, so that the work is in proportion to their number', () => {
    const turns = 4000;
    const { draft, reads } = countedStep();
    const runs = new Runs();
    for (let turn = 0; turn < turns; turn += 1) runs.add([draft]);
    expect(runs.drafts).to.have.length(turns);
    expect(reads()).to.be.below(2 * longestTurn * turns);
  });

  it('are looked for no longer once too many steps are held', () => {
    const { draft, reads } = countedStep();
    const runs = new Runs();
    for (let turn = 0; turn < 50_000; turn += 1) runs.add([draft]);
    expect(runs.isFull).to.equal(true);
    expect(runs.drafts).to.have.length(mostHeld.steps + 1);
    expect(reads()).to.be.below(2 * longestTurn * mostHeld.steps);
  });

  it('count once for how much is held', () => {
    const runs = new Runs();
    const text = 'x'.repeat(100_000);
    const typing: Draft = {
      step: { kind: 'interact', action: { kind: 'type', selector: '#a', text } },
      varies: new Set(),
    };
    for (let turn = 0; turn < 400; turn += 1) runs.add([typing]);
    expect([runs.drafts.length, runs.isFull]).to.deep.equal([1, false]);
    const scroll: Draft = { step: { kind: 'scroll', direction: 'down' }, varies: new Set() };
    for (let turn = 0; turn < 400; turn += 1) runs.add(turn % 2 === 0 ? [scroll, typing] : [typing, scroll]);
    expect(runs.isFull).to.equal(true);
  });
});
