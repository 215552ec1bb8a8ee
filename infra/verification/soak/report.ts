import { total } from '../bench/system/system-processes.ts';
import type { Growth } from './findings.ts';
import type { SoakResult } from './soak-result.ts';
import type { Sample } from './sampling.ts';

export const figure = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1);

/** The result as a Markdown table. */
export function describeSoak(result: SoakResult, grown: readonly Growth[]): string {
  const { capacity, perSecond, seconds, complaints } = result;
  const { operations, failures } = counts(result);
  const measured = capacity === undefined ? '' : `, half of ${figure(capacity)}/s`;
  return [
    `${(seconds / 60).toFixed(1)} minutes at ${figure(perSecond)} operations/s${measured}: ${operations} operations, ${failures} failed`,
    ...complaints.map((complaint) => `  ${complaint}`),
    '',
    ...tableOf(grown),
    '',
    verdictOf(result, grown).toUpperCase(),
  ].join('\n');
}

export const tableOf = (grown: readonly Growth[]): readonly string[] => [
  '| | first third | last third | per hour | allowed growth | |',
  '|---|---|---|---|---|---|',
  ...grown.map(
    ({ what, unit, from, to, perHour, allowed, passed }) =>
      `| ${what} | ${figure(from)} ${unit} | ${figure(to)} ${unit} | ${figure(perHour)} | ${figure(allowed)} | ${passed ? 'flat' : 'GROWS'} |`,
  ),
];

/** One line per sample during the run. */
export function progressOf({ at, used, latency }: Sample): string {
  const { ownMb, files } = total(used);
  const asked = Object.values(latency);
  const sum = (of: 'operations' | 'failures') => asked.reduce((all, each) => all + each[of], 0);
  const slowest = Math.max(...asked.map(({ p99Ms }) => p99Ms));
  return [
    `${(at / 60).toFixed(1)} min`,
    `${sum('operations')} operations, ${sum('failures')} failed, slowest p99 ${figure(slowest)} ms`,
    `${figure(ownMb)} MB`,
    `${files} open files`,
  ].join(' · ');
}

/** Until then, caches, pools and heaps still grow to their bounds. */
const leastSeconds = 600;

export type Verdict = 'pass' | 'fail' | 'too short';

export function verdictOf(result: SoakResult, grown: readonly Growth[]): Verdict {
  if (counts(result).failures > 0) return 'fail';
  if (grown.every(({ passed }) => passed)) return 'pass';
  return result.seconds < leastSeconds ? 'too short' : 'fail';
}

/** The same as data, with its samples. */
export const asJson = (result: SoakResult, grown: readonly Growth[]) => ({
  verdict: verdictOf(result, grown),
  ...counts(result),
  growths: grown,
  ...result,
});

function counts({ samples }: SoakResult) {
  const all = samples.flatMap(({ latency }) => Object.values(latency));
  return {
    operations: all.reduce((sum, { operations }) => sum + operations, 0),
    failures: all.reduce((sum, { failures }) => sum + failures, 0),
  };
}
