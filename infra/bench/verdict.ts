import { compare, type Comparison } from './rounds.ts';
import type { Bench, CheckSubject, RatioSubject, Subject } from './subject.ts';

/** The same side measured against itself must come out this close to 1, or the run has no verdict. */
const controlBand = { min: 0.93, max: 1.07 };

export type Verdict = 'stretch' | 'pass' | 'fail' | 'too noisy';

export interface RatioResult {
  readonly kind: 'ratio';
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly pass: number;
  readonly stretch: number;
  /** Median of raw / raw by wall clock. */
  readonly control: number;
  readonly comparison: Comparison;
}

export interface CheckResult {
  readonly kind: 'check';
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly figures: Readonly<Record<string, number>>;
}

export type Result = RatioResult | CheckResult;

export const judge = (subject: Subject, bench: Bench, rounds: number): Promise<Result> =>
  subject.kind === 'ratio' ? judgeRatio(subject, bench, rounds) : judgeCheck(subject, bench);

async function judgeRatio(subject: RatioSubject, bench: Bench, rounds: number): Promise<RatioResult> {
  const { id, title, pass, stretch, operations } = subject;
  const { ours, raw, close } = await subject.prepare(bench);
  try {
    const control = (await compare(raw, raw, { operations, rounds })).ratio.median;
    const comparison = await compare(ours, raw, { operations, rounds });
    const noisy = control < controlBand.min || control > controlBand.max;
    const verdict = noisy ? 'too noisy' : grade(comparison.ratio.median, pass, stretch);
    return { kind: 'ratio', id, title, verdict, pass, stretch, control, comparison };
  } finally {
    await close();
  }
}

async function judgeCheck(subject: CheckSubject, bench: Bench): Promise<CheckResult> {
  const { passed, stretched, figures } = await subject.check(bench);
  const verdict = !passed ? 'fail' : stretched ? 'stretch' : 'pass';
  return { kind: 'check', id: subject.id, title: subject.title, verdict, figures };
}

const grade = (ratio: number, pass: number, stretch: number): Verdict =>
  ratio >= stretch ? 'stretch' : ratio >= pass ? 'pass' : 'fail';
