import { percentile } from '../../bench/latency.ts';
import { figure } from '../report.ts';
import type { WorkloadResult } from './others.ts';
import type { ResourceUsage } from './usage.ts';
import type { PagesResult } from './run.ts';

/** Maximal ratio of an operation's p99 beside hostile pages to that without. */
const slowestTimes = 1.5;
/** MB of growth allowed after the pages are gone; the service's own caches fill meanwhile. */
const more = { serviceMb: 150, diskMb: 10 };
/** Requests that begin and end a session, which are not operations on one: a create waits for the start of a browser in its account's turn. */
const notOperations: ReadonlySet<string> = new Set(['create', 'end']);
const together = 'all operations';
/** A p99 needs at least this many values. */
const leastOperations = 100;

interface Slowdown {
  readonly operation: string;
  readonly count: number;
  readonly aloneMs: readonly number[];
  readonly besideMs: readonly number[];
  readonly afterwardsMs: readonly number[];
  readonly times: number;
}

/** The p50 and p99 of each kind of request, and of all operations together. */
function slowdowns({ alone, beside, afterwards }: PagesResult): readonly Slowdown[] {
  const names = [...new Set(beside.took.map(({ operation }) => operation)), together];
  return names.map((operation) => {
    const of = ({ took }: WorkloadResult) =>
      took
        .filter((each) =>
          operation === together ? !notOperations.has(each.operation) : each.operation === operation,
        )
        .map((each) => each.milliseconds);
    const both = (results: WorkloadResult) => [percentile(of(results), 0.5), percentile(of(results), 0.99)];
    const [aloneMs, besideMs, afterwardsMs] = [both(alone), both(beside), both(afterwards)];
    const times = (besideMs[1] ?? NaN) / (aloneMs[1] ?? NaN);
    return { operation, count: of(beside).length, aloneMs, besideMs, afterwardsMs, times };
  });
}

interface Bar {
  readonly sentence: string;
  readonly measured: string;
  readonly holds: boolean;
}

/** The bars, and what was measured. */
export function barsOf(result: PagesResult): readonly Bar[] {
  const { alone, beside, afterwards, before, after, restarts } = result;
  const results = [alone, beside, afterwards];
  const none = (sentence: string, count: number): Bar => ({
    sentence,
    measured: `${count}`,
    holds: count === 0,
  });
  const back = (what: string, grown: number, most: number): Bar => ({
    sentence: `${what} is back: ${most} MB more at most`,
    measured: `${figure(grown)} MB`,
    holds: grown <= most,
  });
  const sum = (of: (each: WorkloadResult) => number) => results.reduce((all, each) => all + of(each), 0);
  return [
    ...p99Bars(result),
    none(
      'sessions of other accounts that ended',
      sum(({ ended }) => ended),
    ),
    none(
      'requests of other accounts that were not done',
      sum(({ complaints }) => complaints.length),
    ),
    back('memory', after.serviceMb - before.serviceMb, more.serviceMb),
    back('disk', after.diskMb - before.diskMb, more.diskMb),
    none('browsers that are left', Math.max(0, after.browsers - before.browsers)),
    none('processes of the service that ended', restarts.length),
  ];
}

/** One bar for each operation with enough values; having none is a miss too. */
function p99Bars(result: PagesResult): readonly Bar[] {
  const counted = slowdowns(result).filter(
    ({ operation, count }) => count >= leastOperations && !notOperations.has(operation),
  );
  if (counted.length === 0)
    return [{ sentence: `${leastOperations} operations of one kind`, measured: 'fewer', holds: false }];
  return counted.map(({ operation, times }) => ({
    sentence: `p99 of ${operation}: ${slowestTimes} times what it is alone at most`,
    measured: `${times.toFixed(2)} times`,
    holds: times <= slowestTimes,
  }));
}

export const describePages = (result: PagesResult): string =>
  [
    ...headOf(result),
    '',
    ...slowdownTable(result),
    '',
    ...usageTable(result),
    '',
    ...visitsTable(result),
    '',
    ...result.beside.complaints.slice(0, 5).map((complaint) => `  ${complaint}`),
    ...result.restarts,
    ...tableOf(
      ['', 'measured', ''],
      barsOf(result).map(({ sentence, measured, holds }) => [sentence, measured, holds ? 'holds' : 'MISSED']),
    ),
  ].join('\n');

function headOf({ minutes, sideBySide, openOnAverage, visits: { counts, refused } }: PagesResult): string[] {
  const all = Object.values(counts).reduce((sum, { visits }) => sum + visits, 0);
  const open = `${sideBySide} pages side by side (${figure(openOnAverage)} open on average)`;
  return [`${figure(minutes)} minutes of ${open}: ${all} visits, ${refused} browsers refused`];
}

const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const tableOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] => [
  row(...head),
  row(...head.map(() => '---')),
  ...rows.map((cells) => row(...cells)),
];

function slowdownTable(result: PagesResult): string[] {
  const ms = (pair: readonly number[]) => pair.map(figure).join(' / ');
  return tableOf(
    ['other accounts, p50 / p99 in ms', 'count', 'alone', 'beside the pages', 'afterwards', 'p99, times'],
    slowdowns(result).map(({ operation, count, aloneMs, besideMs, afterwardsMs, times }) => [
      ...[operation, count, ms(aloneMs), ms(besideMs), ms(afterwardsMs), figure(times)],
    ]),
  );
}

function usageTable({ fresh, before, most, after }: PagesResult): string[] {
  const of = (what: string, read: (usage: ResourceUsage) => number) => [
    what,
    ...[fresh, before, most, after].map(read).map(figure),
  ];
  return tableOf(
    ['', 'after the start', 'after the warm-up', 'most', 'after'],
    [
      of('memory of the service and its browsers, MB', ({ serviceMb }) => serviceMb),
      ...Object.keys(after.byProcessMb).map((name) =>
        of(`of ${name} and its processes, MB`, ({ byProcessMb }) => byProcessMb[name] ?? NaN),
      ),
      of('memory of the node’s process, MB', ({ nodeMb }) => nodeMb),
      of('disk that browsers fill, MB', ({ diskMb }) => diskMb),
      of('browsers', ({ browsers }) => browsers),
    ],
  );
}

const visitsTable = ({ visits: { counts } }: PagesResult): string[] =>
  tableOf(
    ['page', 'visits', 'ended by the node'],
    Object.entries(counts).map(([name, { visits, ended }]) => [name, visits, ended]),
  );
