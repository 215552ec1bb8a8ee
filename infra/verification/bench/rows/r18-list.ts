import { askForPage } from '../asks.ts';
import { tablesOf, type Shape } from '../filled-tables.ts';
import { percentile } from '../latency.ts';
import { atMost, type CheckSubject } from '../subject.ts';

const bars = { pass: 1.5, stretch: 1.2 };
const page = 50;
const requests = 2_000;
/** At least two, so that a list has two pages. */
const sessionsEach = 100;

/** The same number of sessions for one account, and for as many accounts. */
const bothWays = (sessions: number): readonly Shape[] => [
  { sessions, accounts: 1 },
  { sessions, accounts: sessions / sessionsEach },
];

/** Shared with the growth of reads. */
export const millionSessions = tablesOf([10_000, 100_000, 1_000_000].flatMap(bothWays));

/** R18: pages at any position of a list, over HTTP, from the large and the small table in turns. */
export const longList: CheckSubject = {
  kind: 'check',
  id: 'R18',
  title: `p99 of a page of ${page} among a million sessions / among 10 000, by cursor`,
  bars,
  unit: 'x',
  async check(bench) {
    const tables = await millionSessions(bench);
    try {
      const measured = await tables.measure(askForPage(page), requests);
      const p99 = (sessions: number, one: boolean): number => {
        const found = measured.find(
          ({ shape }) => shape.sessions === sessions && (shape.accounts === 1) === one,
        );
        return percentile(found?.took ?? [], 0.99);
      };
      const ofOne = p99(1_000_000, true) / p99(10_000, true);
      const ofMany = p99(1_000_000, false) / p99(10_000, false);
      return atMost(bars, Math.max(ofOne, ofMany), {
        of_one_account: ofOne,
        of_many_accounts: ofMany,
        p99_ms_of_one_at_10k: p99(10_000, true),
        p99_ms_of_one_at_1m: p99(1_000_000, true),
        p99_ms_of_many_at_10k: p99(10_000, false),
        p99_ms_of_many_at_1m: p99(1_000_000, false),
        requests,
      });
    } finally {
      await tables.close();
    }
  },
};
