import { percentile } from '../../bench/latency.ts';
import { figure } from '../report.ts';
import type { Worked } from './others.ts';
import type { Room } from './room.ts';
import type { Visited } from './run.ts';

/** What an operation's p99 may be beside hostile pages, times what it is without. */
const slowestTimes = 1.5;
/** MB that may be more when the pages are gone; the service's own caches fill meanwhile. */
const more = { serviceMb: 150, diskMb: 10 };
/** Fewer have no hundredth part. */
const leastOperations = 100;

interface Slowed {
  readonly operation: string;
  readonly count: number;
  readonly aloneMs: readonly number[];
  readonly besideMs: readonly number[];
  readonly afterwardsMs: readonly number[];
  readonly times: number;
}

/** The p50 and p99 of each operation, and of all together. */
export function slowed({ alone, beside, afterwards }: Visited): readonly Slowed[] {
  const names = [...new Set(beside.took.map(({ operation }) => operation)), 'all'];
  return names.map((operation) => {
    const of = ({ took }: Worked) =>
      took
        .filter((each) => operation === 'all' || each.operation === operation)
        .map((each) => each.milliseconds);
    const both = (worked: Worked) => [percentile(of(worked), 0.5), percentile(of(worked), 0.99)];
    const [aloneMs, besideMs, afterwardsMs] = [both(alone), both(beside), both(afterwards)];
    const times = (besideMs[1] ?? NaN) / (aloneMs[1] ?? NaN);
    return { operation, count: of(beside).length, aloneMs, besideMs, afterwardsMs, times };
  });
}

/** Each sentence of what was to hold, and whether it does. */
export function verdicts(visited: Visited): readonly (readonly [sentence: string, holds: boolean])[] {
  const { alone, beside, afterwards, before, after, restarts } = visited;
  const worked = [alone, beside, afterwards];
  const counted = slowed(visited).filter(({ count }) => count >= leastOperations);
  return [
    ['no session of another account ended', worked.every(({ ended }) => ended === 0)],
    ['all that other accounts asked was done', worked.every(({ complaints }) => complaints.length === 0)],
    [
      `the p99 of each operation is within ${slowestTimes} of what it is alone`,
      counted.every(({ times }) => times <= slowestTimes),
    ],
    [
      'memory is back',
      after.serviceMb - before.serviceMb <= more.serviceMb && after.browsers <= before.browsers,
    ],
    ['disk is back', after.diskMb - before.diskMb <= more.diskMb],
    ['no process of the service ended', restarts.length === 0],
  ];
}

export const describeVisited = (visited: Visited): string =>
  [
    ...headOf(visited),
    '',
    ...slowedTable(visited),
    '',
    ...roomTable(visited),
    '',
    ...visitsTable(visited),
    '',
    ...visited.beside.complaints.slice(0, 5).map((complaint) => `  ${complaint}`),
    ...visited.restarts,
    ...verdicts(visited).map(([sentence, holds]) => `${holds ? 'yes' : 'NO '}  ${sentence}`),
  ].join('\n');

function headOf({ minutes, sideBySide, openOnAverage, visits: { counts, refused } }: Visited): string[] {
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

function slowedTable(visited: Visited): string[] {
  const ms = (pair: readonly number[]) => pair.map(figure).join(' / ');
  return tableOf(
    ['other accounts, p50 / p99 in ms', 'count', 'alone', 'beside the pages', 'afterwards', 'p99, times'],
    slowed(visited).map(({ operation, count, aloneMs, besideMs, afterwardsMs, times }) => [
      ...[operation, count, ms(aloneMs), ms(besideMs), ms(afterwardsMs), figure(times)],
    ]),
  );
}

function roomTable({ before, most, after }: Visited): string[] {
  const of = (what: string, read: (room: Room) => number) => [
    what,
    ...[before, most, after].map(read).map(figure),
  ];
  return tableOf(
    ['', 'before', 'most', 'after'],
    [
      of('memory of the service and its browsers, MB', ({ serviceMb }) => serviceMb),
      of('memory of the node’s process, MB', ({ nodeMb }) => nodeMb),
      of('disk that browsers fill, MB', ({ diskMb }) => diskMb),
      of('browsers', ({ browsers }) => browsers),
    ],
  );
}

const visitsTable = ({ visits: { counts } }: Visited): string[] =>
  tableOf(
    ['page', 'visits', 'ended by the node'],
    Object.entries(counts).map(([name, { visits, ended }]) => [name, visits, ended]),
  );
