import { expect } from 'chai';
import { grammar } from '../../model/grammar/grammar.ts';
import { table } from './report.ts';
import { runEval } from './run.ts';
import { at } from './scripted.ts';
import { topics } from './task.ts';
import { tasks } from './tasks/index.ts';

describe('the tasks of the eval', () => {
  it('are thirty, under thirty names, of every topic', () => {
    expect(tasks).to.have.length(30);
    expect(new Set(tasks.map(({ name }) => name)).size).to.equal(30);
    expect(new Set(tasks.map(({ topic }) => topic))).to.deep.equal(new Set(topics));
  });

  it('are said in sentences that the grammar covers, and in words that it does not', () => {
    for (const { name, turns } of tasks) {
      for (const { sentences, says } of turns) {
        expect(grammar(at('http://127.0.0.1:1', sentences)), name).to.have.property('covers', true);
        expect(grammar(at('http://127.0.0.1:1', says)), name).to.have.property('covers', false);
      }
    }
  });
});

describe('the eval, on real WebKit', function () {
  this.timeout(600_000);

  it('succeeds in all of its tasks, by the grammar and by what a provider is scripted to say', async () => {
    const attempts = await runEval({ modes: ['grammar', 'scripted'] });
    expect(attempts).to.have.length(60);
    const failed = attempts.filter(({ problem }) => problem !== null);
    expect(failed, table(attempts)).to.deep.equal([]);
    const scripted = attempts.filter(({ lane }) => lane === 'scripted');
    expect(scripted.every(({ inputTokens, outputTokens }) => inputTokens > 0 && outputTokens > 0)).to.equal(
      true,
    );
  });
});
