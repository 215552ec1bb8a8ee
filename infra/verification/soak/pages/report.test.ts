import { expect } from 'chai';
import { barsOf } from './report.ts';
import type { PagesResult } from './run.ts';

const resultOf = (milliseconds: number, count: number, operation = 'navigate') => ({
  took: Array.from({ length: count }, () => ({ operation, milliseconds })),
  complaints: [],
  ended: 0,
});
const usage = { serviceMb: 1_000, byProcessMb: { node: 90 }, nodeMb: 90, diskMb: 1, browsers: 1 };
const result: PagesResult = {
  minutes: 1,
  sideBySide: 12,
  openOnAverage: 12,
  visits: { counts: {}, refused: 0 },
  alone: resultOf(100, 100),
  beside: resultOf(140, 100),
  afterwards: resultOf(100, 100),
  fresh: usage,
  before: usage,
  most: usage,
  after: usage,
  restarts: [],
};
const missedBy = (changes: Partial<PagesResult>) =>
  barsOf({ ...result, ...changes })
    .filter(({ holds }) => !holds)
    .map(({ sentence, measured }) => `${sentence}: ${measured}`)
    .join('\n');

describe('the bars of pages side by side', () => {
  it('are all met when other accounts were hardly affected and everything recovered', () => {
    expect(missedBy({})).to.equal('');
  });

  it('are about operations: a create waits for its turn', () => {
    const withCreates = (milliseconds: number) => {
      const { took, ...rest } = resultOf(100, 100);
      return { ...rest, took: [...took, ...resultOf(milliseconds, 100, 'create').took] };
    };
    expect(missedBy({ alone: withCreates(100), beside: withCreates(900) })).to.equal('');
  });

  const missed: readonly (readonly [what: string, changes: Partial<PagesResult>, expected: RegExp])[] = [
    ['an operation that takes longer', { beside: resultOf(160, 100) }, /^p99 of navigate: .*: 1\.60 times$/m],
    [
      'too few operations to have a p99',
      { beside: resultOf(140, 99) },
      /^100 operations of one kind: fewer$/,
    ],
    ['a session that ended', { afterwards: { ...resultOf(100, 100), ended: 1 } }, /that ended: 1$/],
    [
      'a request that was not done',
      { beside: { ...resultOf(100, 100), complaints: ['503'] } },
      /not done: 1$/,
    ],
    ['memory that is not back', { after: { ...usage, serviceMb: 1_200 } }, /^memory is back: .*: 200 MB$/],
    ['disk that is not back', { after: { ...usage, diskMb: 20 } }, /^disk is back: .*: 19\.0 MB$/],
    ['a browser that is left', { after: { ...usage, browsers: 2 } }, /^browsers that are left: 1$/],
    ['a process that ended', { restarts: ['node ended; starting it again'] }, /service that ended: 1$/],
  ];
  for (const [what, changes, expected] of missed)
    it(`are missed by ${what}`, () => {
      expect(missedBy(changes)).to.match(expected);
    });
});
