import { askForNewest, askForOne, askForPage, type Ask } from '../asks.ts';
import { tablesOf, type Shape, type Tables } from '../filled-tables.ts';
import { percentile } from '../latency.ts';
import { millionSessions } from '../rows/r18-list.ts';
import { logLogSlope } from '../slope.ts';
import { atMost, type Bench, type CheckSubject, type Finding } from '../subject.ts';

/** Maximal slope of a time that counts as constant. */
const bars = { pass: 0.05, stretch: 0.02 };
const requests = 1_500;

type Series = Awaited<ReturnType<Tables['measure']>>;

/** Slopes of the median over the sizes: for one account with all sessions, and for as many accounts as sessions. */
function slopesOf(series: Series) {
  const slope = (of: (shape: Shape) => boolean) =>
    logLogSlope(
      series
        .filter(({ shape }) => of(shape))
        .map(({ shape, took }) => ({ size: shape.sessions, time: percentile(took, 0.5) })),
    );
  return {
    of_one_account: slope(({ accounts }) => accounts === 1),
    of_many_accounts: slope(({ accounts, sessions }) => accounts > 1 || sessions === 1),
  };
}

const medians = (series: Series): Finding['figures'] =>
  Object.fromEntries(
    series.map(({ shape, took }) => [`p50_ms_${shape.sessions}_of_${shape.accounts}`, percentile(took, 0.5)]),
  );

const growthOf = (
  id: string,
  title: string,
  asks: Readonly<Record<string, Ask>>,
  startTables: (bench: Bench) => Promise<Tables>,
): CheckSubject => ({
  kind: 'check',
  id,
  title,
  long: true,
  bars,
  unit: 'slope',
  async check(bench) {
    const tables = await startTables(bench);
    try {
      let figures: Finding['figures'] = {};
      const slopes: number[] = [];
      for (const [name, ask] of Object.entries(asks)) {
        const series = await tables.measure(ask, requests);
        const found = slopesOf(series);
        slopes.push(...Object.values(found));
        figures = { ...figures, ...prefixed(`${name}_slope`, found), ...prefixed(name, medians(series)) };
      }
      return atMost(bars, Math.max(...slopes.map(Math.abs)), figures);
    } finally {
      await tables.close();
    }
  },
});

const prefixed = (prefix: string, figures: Finding['figures']): Finding['figures'] =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${prefix}_${name}`, value]));

export const readGrowth = growthOf(
  'growth-reads',
  'p50 of a point read and of a page of 50, from 10 000 to a million sessions of one account and of many',
  { read: askForOne, page: askForPage(50) },
  millionSessions,
);

const few: readonly Shape[] = [
  { sessions: 1, accounts: 1 },
  ...[100, 10_000].flatMap((sessions) => [
    { sessions, accounts: 1 },
    { sessions, accounts: sessions },
  ]),
];

export const sessionGrowth = growthOf(
  'growth-sessions',
  'p50 of a point read and of the newest session, from 1 to 10 000 sessions of one account and of as many',
  { read: askForOne, newest: askForNewest },
  tablesOf(few),
);
