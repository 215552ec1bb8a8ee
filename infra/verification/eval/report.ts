import type { Attempt } from './attempt.ts';
import { modes, type Mode } from './task.ts';

const headings = [
  'lane',
  'topic',
  'task',
  'success',
  'steps',
  'tokens in',
  'out',
  'cents',
  'seconds',
] as const;

/** A line for each attempt, then one for each mode. */
export function table(attempts: readonly Attempt[]): string {
  const rows = attempts.map((each) => [
    each.lane,
    each.topic,
    each.task,
    each.problem === null ? 'yes' : 'NO',
    ...figures([each]),
  ]);
  const tried = modes.map((mode) => ({ mode, of: attempts.filter(({ lane }) => lane === mode) }));
  const totals = tried.filter(({ of }) => of.length > 0).map(({ mode, of }) => totalOf(mode, of));
  const lines = [headings, ...rows, ...totals];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const problems = attempts.flatMap(({ lane, task, problem }) =>
    problem === null ? [] : [`${lane}, ${task}: ${problem}`],
  );
  return [...text, ...(problems.length > 0 ? ['', ...problems] : [])].join('\n');
}

const totalOf = (mode: Mode, attempts: readonly Attempt[]): string[] => {
  const met = attempts.filter(({ problem }) => problem === null).length;
  return [mode, 'all', '', `${met} of ${attempts.length}`, ...figures(attempts)];
};

function figures(attempts: readonly Attempt[]): string[] {
  const sum = (of: (each: Attempt) => number) => attempts.reduce((total, each) => total + of(each), 0);
  const isPriced = attempts.some(({ costCents }) => costCents !== null);
  return [
    String(sum(({ steps }) => steps)),
    String(sum(({ inputTokens }) => inputTokens)),
    String(sum(({ outputTokens }) => outputTokens)),
    isPriced ? String(sum(({ costCents }) => costCents ?? 0)) : '-',
    sum(({ seconds }) => seconds).toFixed(1),
  ];
}
