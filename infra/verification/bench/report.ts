import type { Spread } from './rounds.ts';
import type { CheckResult, RatioResult, Result, Unmeasured } from './verdict.ts';

const figure = (value: number): string =>
  Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));

const range = ({ min, median, max }: Spread): string =>
  `${figure(median)} (${figure(min)} to ${figure(max)})`;

/** A result as text; `--json` prints the same figures as data. */
export function describeResult(result: Result): string {
  switch (result.kind) {
    case 'ratio':
      return describeRatio(result);
    case 'check':
      return describeCheck(result);
    case 'unmeasured':
      return describeUnmeasured(result);
  }
}

function describeRatio({
  id,
  title,
  verdict,
  bars,
  control,
  attempts,
  operations,
  comparison,
}: RatioResult): string {
  const { ratio, cpuRatio, ours, raw, rounds, voided, loopDelayMs } = comparison;
  return [
    `${id}  ${title}`,
    `    ${verdict.toUpperCase()}  ratio ${range(ratio)}, by CPU ${range(cpuRatio)}; pass ${bars.pass}, stretch ${bars.stretch}`,
    `    ours ${range(ours.operationsPerSecond)}/s, ${figure(ours.cpuMicros.median)} us CPU`,
    `    raw  ${range(raw.operationsPerSecond)}/s, ${figure(raw.cpuMicros.median)} us CPU`,
    `    control ${figure(control)}, ${rounds} rounds of ${figure(operations)} operations, ${voided} voided,` +
      ` measured ${attempts} x, event loop delay p99 ${figure(loopDelayMs)} ms`,
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

const describeUnmeasured = ({ id, title, verdict, reason }: Unmeasured): string =>
  [`${id}  ${title}`, `    ${verdict.toUpperCase()}  ${reason}`, ''].join('\n');

const header = ['', 'what', 'value', 'pass', 'stretch', 'verdict'];

const rowOf = (result: Result): string[] => {
  const { id, title, bars, verdict } = result;
  return [id, title, judgedIn(result), figure(bars.pass), figure(bars.stretch), verdict];
};

function judgedIn(result: Result): string {
  if (result.value === null) return '';
  return result.kind === 'check' ? `${figure(result.value)} ${result.unit}` : figure(result.value);
}

/** All results as aligned lines, without explanations. */
export function asTable(results: readonly Result[]): string {
  const rows = [header, ...results.map(rowOf)].map((row) => row.filter((_, column) => column !== 1));
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const markdownHeader = [...header, 'by CPU', 'ours', 'control'];

/** The table of docs/performance.md. */
export const asMarkdown = (results: readonly Result[]): string =>
  [markdownHeader, markdownHeader.map(() => '---'), ...results.map(markdownRow)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

function markdownRow(result: Result): string[] {
  if (result.kind !== 'ratio') return [...rowOf(result), '', '', ''];
  const { ours, cpuRatio } = result.comparison;
  const speed = `${figure(ours.operationsPerSecond.median)}/s, ${figure(ours.cpuMicros.median)} µs CPU`;
  return [...rowOf(result), figure(cpuRatio.median), speed, figure(result.control)];
}
