import { expect } from 'chai';
import { pino } from 'pino';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { chooseSubjects } from './choose.ts';
import { asMarkdown, asTable, describeResult } from './report.ts';
import { spread } from './rounds.ts';
import { logLogSlope } from './slope.ts';
import {
  atLeast,
  atMost,
  onceInRun,
  type Bench,
  type BenchRun,
  type CheckSubject,
  type RatioSubject,
  type Side,
} from './subject.ts';
import { asJson, judge } from './verdict.ts';

const run: BenchRun = { seed: 1, directory: '/nowhere', logger: pino({ level: 'silent' }) };
const bench: Bench = { ...run, run };

const check = (id: string, value: number, long = false): CheckSubject => ({
  kind: 'check',
  id,
  title: 'a size',
  bars: { pass: 60, stretch: 30 },
  unit: 'MB',
  long,
  check: async () => atMost({ pass: 60, stretch: 30 }, value, { at_start: 100 }),
});

/** Takes exactly the given time by the test's clock. */
const taking = (msPerOperation: number): Side => ({
  name: 'clockwork',
  run: async (operations) => void clock.tick(msPerOperation * operations),
});

const ratio = (ours: Side, raw: Side): RatioSubject => ({
  kind: 'ratio',
  id: 'R1',
  title: 'ours / raw',
  pass: 0.4,
  stretch: 0.9,
  operations: 4,
  prepare: async () => ({ ours, raw, close: async () => undefined }),
});

let clock: SinonFakeTimers;

describe('the bench', () => {
  beforeEach(() => {
    clock = useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => clock.restore());

  it('judges a ratio by the median of its rounds and reports what it is based on', async () => {
    const result = await judge(ratio(taking(2), taking(1)), bench, { rounds: 3, attempts: 3 });
    expect(result.value).to.be.closeTo(0.5, 1e-9);
    expect(result.verdict).to.equal('pass');
    expect(asJson([result]).R1).to.deep.include({ pass: true, stretch: false, operations: 4, attempts: 1 });
  });

  it('lets a slow side do fewer operations in a run', async () => {
    const result = await judge(ratio(taking(0.5), { ...taking(5), operations: 1 }), bench, {
      rounds: 1,
      attempts: 3,
    });
    expect(result.value).to.be.closeTo(10, 1e-9);
  });

  it('measures three times before it reports that the machine is too noisy', async () => {
    let runs = 0;
    const slowing: Side = {
      name: 'slowing',
      run: (count) => taking((runs += 1) % 4 === 1 ? 3 : 1).run(count),
    };
    const result = await judge(ratio(slowing, slowing), bench, { rounds: 1, attempts: 3 });
    expect(result.verdict).to.equal('too noisy');
    expect(result).to.have.property('attempts', 3);
    expect(asJson([result]).R1).to.include({ pass: false, stretch: false });
  });

  it('reports why a subject could not be measured, and prints it with the others', async () => {
    const failing: CheckSubject = { ...check('R11', 1), check: () => Promise.reject(new Error('No Redis.')) };
    const results = [];
    for (const subject of [check('R8', 42), failing, { ...ratio(taking(1), taking(1)), id: 'R12' }])
      results.push(await judge(subject, bench, { rounds: 1, attempts: 1 }));
    expect(results.map(({ verdict }) => verdict)).to.deep.equal(['pass', 'not measured', 'stretch']);
    expect(results.map(describeResult)[1]).to.match(/^R11 {2}a size\n +NOT MEASURED {2}Error: No Redis\.\n/);
    expect(asTable(results).split('\n')[2]).to.match(/^R11 +60 +30 +not measured$/);
    expect(asMarkdown(results)).to.include('| R11 | a size |  | 60 | 30 | not measured |  |  |  |');
    expect(asJson(results).R11).to.deep.include({ pass: false, stretch: false, reason: 'Error: No Redis.' });
  });

  it('prints results as one object by id, as a table and as Markdown', async () => {
    const results = [
      await judge(check('R8', 42.123), bench, { rounds: 1, attempts: 3 }),
      await judge(check('R9', 99), bench, { rounds: 1, attempts: 3 }),
    ];
    expect(asJson(results)).to.have.all.keys('R8', 'R9');
    expect(asJson(results).R8).to.deep.equal({
      value: 42.123,
      pass: true,
      stretch: false,
      verdict: 'pass',
      kind: 'check',
      title: 'a size',
      bars: { pass: 60, stretch: 30 },
      unit: 'MB',
      figures: { at_start: 100 },
    });
    expect(asTable(results).split('\n')[2]).to.match(/^R9 +99 MB +60 +30 +fail$/);
    expect(asMarkdown(results)).to.include('| R8 | a size | 42.1 MB | 60 | 30 | pass |');
  });

  it('runs the subjects whose ids start with a given name, and by default all that do not take minutes', () => {
    const subjects = [check('R1', 1), check('R1-b', 1), check('R17', 1), check('growth-list', 1, true)];
    const ids = (...names: string[]) => chooseSubjects(subjects, names).map(({ id }) => id);
    expect(ids('R1')).to.deep.equal(['R1', 'R1-b']);
    expect(ids('growth')).to.deep.equal(['growth-list']);
    expect(ids()).to.deep.equal(['R1', 'R1-b', 'R17']);
    expect(() => ids('R1', 'R2')).to.throw('Nothing is called R2; there are R1, R1-b, R17, growth-list.');
  });

  it('creates shared resources once in a run', async () => {
    let made = 0;
    const shared = onceInRun(async () => (made += 1));
    expect([await shared(run), await shared(run), await shared({ ...run })]).to.deep.equal([1, 1, 2]);
  });

  it('finds the exponent of a growth', () => {
    const grown = (exponent: number) =>
      [10, 1_000, 100_000].map((size) => ({ size, time: 7 * size ** exponent }));
    for (const exponent of [0, 0.5, 1, 2]) expect(logLogSlope(grown(exponent))).to.be.closeTo(exponent, 1e-9);
  });

  it('counts a figure at its bar as passed', () => {
    expect(atMost({ pass: 2, stretch: 1 }, 2)).to.include({ passed: true, stretched: false });
    expect(atLeast({ pass: 1, stretch: 2 }, 2)).to.include({ passed: true, stretched: true });
    expect(spread([3, 1, 2, 10])).to.deep.equal({ min: 1, median: 2.5, max: 10 });
  });
});
