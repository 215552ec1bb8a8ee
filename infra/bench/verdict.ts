import { compare, type Comparison } from './rounds.ts';
import type { Bars, Bench, CheckSubject, RatioSubject, Subject } from './subject.ts';

/** The same side measured against itself must come out this close to 1, or the run has no verdict. */
const controlBand = { min: 0.93, max: 1.07 };

export type Verdict = 'stretch' | 'pass' | 'fail' | 'too noisy';

interface Judged {
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly bars: Bars;
  /** The figure that was judged. */
  readonly value: number;
}

export interface RatioResult extends Judged {
  readonly kind: 'ratio';
  /** Median of raw / raw by wall clock. */
  readonly control: number;
  readonly comparison: Comparison;
}

export interface CheckResult extends Judged {
  readonly kind: 'check';
  readonly unit: string;
  readonly figures: Readonly<Record<string, number>>;
}

export type Result = RatioResult | CheckResult;

export const judge = (subject: Subject, bench: Bench, rounds: number): Promise<Result> =>
  subject.kind === 'ratio' ? judgeRatio(subject, bench, rounds) : judgeCheck(subject, bench);

/** One object by id: the judged figure, whether it meets each bar, and what it rests on. */
export const asJson = (results: readonly Result[]) =>
  Object.fromEntries(
    results.map(({ id, value, verdict, ...rest }) => [
      id,
      {
        value,
        pass: verdict === 'pass' || verdict === 'stretch',
        stretch: verdict === 'stretch',
        verdict,
        ...rest,
      },
    ]),
  );

async function judgeRatio(subject: RatioSubject, bench: Bench, rounds: number): Promise<RatioResult> {
  const { id, title, pass, stretch, operations } = subject;
  const { ours, raw, close } = await subject.prepare(bench);
  try {
    const control = (await compare(raw, raw, { operations, rounds })).ratio.median;
    const comparison = await compare(ours, raw, { operations, rounds });
    const noisy = control < controlBand.min || control > controlBand.max;
    const value = comparison.ratio.median;
    const verdict = noisy ? 'too noisy' : grade(value, pass, stretch);
    return { kind: 'ratio', id, title, verdict, bars: { pass, stretch }, value, control, comparison };
  } finally {
    await close();
  }
}

async function judgeCheck(subject: CheckSubject, bench: Bench): Promise<CheckResult> {
  const { id, title, bars, unit } = subject;
  const { value, passed, stretched, figures } = await subject.check(bench);
  const verdict = !passed ? 'fail' : stretched ? 'stretch' : 'pass';
  return { kind: 'check', id, title, verdict, bars, unit, value, figures };
}

const grade = (ratio: number, pass: number, stretch: number): Verdict =>
  ratio >= stretch ? 'stretch' : ratio >= pass ? 'pass' : 'fail';
