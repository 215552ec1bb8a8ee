import type { Attempt } from './attempt.ts';
import { lanes, type Lane } from './task.ts';

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

/** A line for each attempt, then one for each lane. */
export function table(attempts: readonly Attempt[]): string {
  const rows = attempts.map((each) => [
    each.lane,
    each.topic,
    each.task,
    each.problem === null ? 'yes' : 'NO',
    ...figures([each]),
  ]);
  const tried = lanes.map((lane) => ({ lane, of: attempts.filter((each) => each.lane === lane) }));
  const totals = tried.filter(({ of }) => of.length > 0).map(({ lane, of }) => totalOf(lane, of));
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

const totalOf = (lane: Lane, attempts: readonly Attempt[]): string[] => {
  const met = attempts.filter(({ problem }) => problem === null).length;
  return [lane, 'all', '', `${met} of ${attempts.length}`, ...figures(attempts)];
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
