import type { Attempt } from './attempt.ts';
import { modes, topics, type Mode } from './task.ts';

const headings = [
  'lane',
  'topic',
  'task',
  'success',
  'unasked',
  'rounds',
  'intents',
  'tokens in',
  'out',
  'cents',
  'seconds',
] as const;

/** A line per attempt and per mode, then the successes by topic, then the failures. */
export function table(attempts: readonly Attempt[]): string {
  const rows = attempts.map((each) => [
    each.lane,
    each.topic,
    each.task,
    succeeded(each) ? 'yes' : 'NO',
    ...figures([each]),
  ]);
  const tried = modes.filter((mode) => attempts.some(({ lane }) => lane === mode));
  const totals = tried.map((mode) => [
    mode,
    'all',
    '',
    success(attempts, { mode }),
    ...figures(of(attempts, { mode })),
  ]);
  const byTopic = topics.map((topic) => [topic, ...tried.map((mode) => success(attempts, { mode, topic }))]);
  const problems = attempts.flatMap((each) => {
    const { lane, task, problem, unasked } = each;
    return succeeded(each) ? [] : [`${lane}, ${task}: ${[problem, ...unasked].filter(Boolean).join('; ')}`];
  });
  return [
    ...aligned([headings, ...rows, ...totals]),
    '',
    ...aligned([['topic', ...tried], ...byTopic.filter((row) => row.some((cell) => / of [^0]/.test(cell)))]),
    ...(problems.length > 0 ? ['', ...problems] : []),
  ].join('\n');
}

/** True if the result is as expected and nothing unasked was done. */
export const succeeded = ({ problem, unasked }: Attempt): boolean => problem === null && unasked.length === 0;

const of = (attempts: readonly Attempt[], { mode, topic }: { mode: Mode; topic?: string }) =>
  attempts.filter((each) => each.lane === mode && (topic === undefined || each.topic === topic));

function success(attempts: readonly Attempt[], about: { mode: Mode; topic?: string }): string {
  const tried = of(attempts, about);
  return `${tried.filter(succeeded).length} of ${tried.length}`;
}

function aligned(lines: readonly (readonly string[])[]): readonly string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function figures(attempts: readonly Attempt[]): string[] {
  const sum = (figure: (each: Attempt) => number) =>
    attempts.reduce((total, each) => total + figure(each), 0);
  const isPriced = attempts.some(({ costCents }) => costCents !== null);
  return [
    String(sum(({ unasked }) => unasked.length)),
    String(sum(({ rounds }) => rounds)),
    String(sum(({ steps }) => steps)),
    String(sum(({ inputTokens }) => inputTokens)),
    String(sum(({ outputTokens }) => outputTokens)),
    isPriced ? String(sum(({ costCents }) => costCents ?? 0)) : '-',
    sum(({ seconds }) => seconds).toFixed(1),
  ];
}
