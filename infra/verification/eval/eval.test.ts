import { expect } from 'chai';
import { grammar } from '../../model/grammar/grammar.ts';
import { table, succeeded } from './report.ts';
import { runEval } from './run.ts';
import { at } from './scripted.ts';
import { topics } from './task.ts';
import { simpleTasks, tasks } from './tasks/index.ts';

const site = { url: 'http://127.0.0.1:1' };

describe('the tasks of the eval', () => {
  it('are sixty, under sixty names, of every topic', () => {
    expect(tasks).to.have.length(60);
    expect(new Set(tasks.map(({ name }) => name)).size).to.equal(60);
    expect(new Set(tasks.map(({ topic }) => topic))).to.deep.equal(new Set(topics));
  });

  it('are phrased in words outside the grammar, and thirty of them also in sentences of the grammar', () => {
    for (const { name, turns } of tasks)
      for (const { says } of turns) expect(grammar(at(site, says)), name).to.have.property('covers', false);
    for (const { name, turns } of simpleTasks)
      for (const { sentences } of turns)
        expect(grammar(at(site, sentences)), name).to.have.property('covers', true);
  });
});

/** A sample of the errands; `npm run eval` runs all. */
const samples = ['save a limit though the session runs out', 'take a code from a tab to the page before'];

describe('the eval, on real WebKit', function () {
  this.timeout(600_000);

  it('succeeds in its simple tasks, by the grammar and by a scripted provider, and in errands over several rounds', async () => {
    const errands = tasks.filter(({ name, topic }) => samples.includes(name) || topic === 'false orders');
    const attempts = await runEval({ modes: ['grammar', 'scripted'], tasks: [...simpleTasks, ...errands] });
    expect(attempts).to.have.length(66);
    expect(
      attempts.filter((each) => !succeeded(each)),
      table(attempts),
    ).to.deep.equal([]);
    const scripted = attempts.filter(({ lane }) => lane === 'scripted');
    expect(scripted.every(({ inputTokens, outputTokens }) => inputTokens > 0 && outputTokens > 0)).to.equal(
      true,
    );
    const { rounds = 0 } = attempts.find(({ task }) => task === samples[0]) ?? {};
    expect(rounds).to.be.at.least(6);
  });
});
