import type { Spread } from './rounds.ts';
import type { CheckResult, RatioResult, Result } from './verdict.ts';

const figure = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const range = ({ min, median, max }: Spread): string =>
  `${figure(median)} (${figure(min)} to ${figure(max)})`;

/** A result as lines for people; `--json` prints the same figures as data. */
export const describeResult = (result: Result): string =>
  result.kind === 'ratio' ? describeRatio(result) : describeCheck(result);

function describeRatio({ id, title, verdict, bars, control, comparison }: RatioResult): string {
  const { ratio, cpuRatio, ours, raw, rounds, voided, loopDelayMs } = comparison;
  return [
    `${id}  ${title}`,
    `    ${verdict.toUpperCase()}  ratio ${range(ratio)}, by CPU ${range(cpuRatio)}; pass ${bars.pass}, stretch ${bars.stretch}`,
    `    ours ${range(ours.operationsPerSecond)}/s, ${figure(ours.cpuMicros.median)} us CPU`,
    `    raw  ${range(raw.operationsPerSecond)}/s, ${figure(raw.cpuMicros.median)} us CPU`,
    `    control ${figure(control)}, ${rounds} rounds, ${voided} voided, event loop delay p99 ${figure(loopDelayMs)} ms`,
  ].join('\n');
}

const describeCheck = ({ id, title, verdict, bars, unit, value, figures }: CheckResult): string =>
  [
    `${id}  ${title}`,
    `    ${verdict.toUpperCase()}  ${figure(value)} ${unit}; pass ${bars.pass}, stretch ${bars.stretch}`,
    `    ${Object.entries(figures)
      .map(([name, value]) => `${name} ${figure(value)}`)
      .join(', ')}`,
  ].join('\n');
