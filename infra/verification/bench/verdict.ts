import { compare, type Comparison } from './rounds.ts';
import type { Bars, Bench, CheckSubject, Prepared, RatioSubject, Subject } from './subject.ts';

/** Maximal distance from 1 of a side measured against itself; beyond it the run has no verdict. */
const controlBand = { min: 0.93, max: 1.07 };

export type Verdict = 'stretch' | 'pass' | 'fail' | 'too noisy' | 'not measured';

interface Judged {
  readonly id: string;
  readonly title: string;
  readonly verdict: Verdict;
  readonly bars: Bars;
  /** The judged figure; null if there is none. */
  readonly value: number | null;
}

export interface RatioResult extends Judged {
  readonly kind: 'ratio';
  readonly value: number;
  /** Median of raw / raw by wall clock. */
  readonly control: number;
  /** How often it was measured: it is repeated while the control is off. */
  readonly attempts: number;
  /** Operations of one run of a side. */
  readonly operations: number;
  readonly comparison: Comparison;
}

export interface CheckResult extends Judged {
  readonly kind: 'check';
  readonly value: number;
  readonly unit: string;
  readonly figures: Readonly<Record<string, number>>;
}

/** A subject that failed before it had a figure. */
export interface Unmeasured extends Judged {
  readonly kind: 'unmeasured';
  readonly value: null;
  readonly reason: string;
}

export type Result = RatioResult | CheckResult | Unmeasured;

export interface Effort {
  /** Rounds that count, after one warm-up. */
  readonly rounds: number;
  /** Maximal number of measurements of a ratio while its control is off. */
  readonly attempts: number;
}

/** Measures a subject and judges it. A failure is a result too, so that the others are measured. */
export async function judge(subject: Subject, bench: Bench, effort: Effort): Promise<Result> {
  try {
    return await (subject.kind === 'ratio' ? judgeRatio(subject, bench, effort) : judgeCheck(subject, bench));
  } catch (error) {
    const { id, title } = subject;
    const { pass, stretch } = subject.kind === 'ratio' ? subject : subject.bars;
    const judged = { id, title, verdict: 'not measured', bars: { pass, stretch }, value: null } as const;
    return { kind: 'unmeasured', ...judged, reason: String(error) };
  }
}

/** One object by id: the judged figure, whether it meets each bar, and its basis. */
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

async function judgeRatio(subject: RatioSubject, bench: Bench, effort: Effort): Promise<RatioResult> {
  const { id, title, pass, stretch, operations } = subject;
  const prepared = await subject.prepare(bench);
  try {
    for (let attempts = 1; ; attempts += 1) {
      const { quiet, control, comparison } = await measureOnce(prepared, {
        operations,
        rounds: effort.rounds,
      });
      if (!quiet && attempts < effort.attempts) continue;
      const value = comparison.ratio.median;
      const verdict = quiet ? grade(value, pass, stretch) : 'too noisy';
      const judged = { id, title, verdict, bars: { pass, stretch }, value };
      return { kind: 'ratio', ...judged, control, attempts, operations, comparison };
    }
  } finally {
    await prepared.close();
  }
}

async function measureOnce({ ours, raw }: Prepared, plan: { operations: number; rounds: number }) {
  const same = await compare(raw, raw, plan);
  const comparison = await compare(ours, raw, plan);
  const control = same.ratio.median;
  const inBand = control >= controlBand.min && control <= controlBand.max;
  return { quiet: inBand && same.rounds > 0 && comparison.rounds > 0, control, comparison };
}

async function judgeCheck(subject: CheckSubject, bench: Bench): Promise<CheckResult> {
  const { id, title, bars, unit } = subject;
  const { value, passed, stretched, figures } = await subject.check(bench);
  const verdict = !passed ? 'fail' : stretched ? 'stretch' : 'pass';
  return { kind: 'check', id, title, verdict, bars, unit, value, figures };
}

const grade = (ratio: number, pass: number, stretch: number): Verdict =>
  ratio >= stretch ? 'stretch' : ratio >= pass ? 'pass' : 'fail';
