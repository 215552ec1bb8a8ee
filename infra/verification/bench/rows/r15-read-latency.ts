import { percentile, timed } from '../latency.ts';
import { inFlight } from '../load.ts';
import { startReads } from './r14-read.ts';
import { filledAccount, filledSession } from '../read-side.ts';
import { spread } from '../rounds.ts';
import { atMost, type CheckSubject } from '../subject.ts';

const clients = 16;
const operations = 3_000;
const rounds = 5;
const bars = { pass: 4, stretch: 2 };

/** R15: both sides with the same concurrency, in the order ours, raw, raw, ours; the first round warms up. */
export const readLatency: CheckSubject = {
  kind: 'check',
  id: 'R15',
  title: `p99 of a read of one session / of the query alone, ${clients} in flight`,
  bars,
  unit: 'x',
  async check(bench) {
    const { filled, pool, readThroughApi, close } = await startReads(bench);
    const query = (index: number) =>
      pool.query({
        name: 'session',
        text: 'select * from read_model.sessions where id = $1 and account_id = $2',
        values: [filledSession(index % filled.sessions), filledAccount(0)],
      });
    const p99 = async (work: (index: number) => Promise<unknown>) => {
      const took: number[] = [];
      await inFlight(operations, clients, async (index) => void took.push(await timed(() => work(index))));
      return percentile(took, 0.99);
    };
    try {
      const measured = [];
      for (let round = 0; round <= rounds; round += 1) {
        const first = await p99(readThroughApi);
        const second = await p99(query);
        const third = await p99(query);
        const fourth = await p99(readThroughApi);
        measured.push({ ours: (first + fourth) / 2, raw: (second + third) / 2, control: third / second });
      }
      const counted = measured.slice(1);
      const ratio = spread(counted.map(({ ours, raw }) => ours / raw));
      return atMost(bars, ratio.median, {
        min: ratio.min,
        max: ratio.max,
        ours_p99_ms: spread(counted.map(({ ours }) => ours)).median,
        raw_p99_ms: spread(counted.map(({ raw }) => raw)).median,
        control: spread(counted.map(({ control }) => control)).median,
        operations,
      });
    } finally {
      await close();
    }
  },
};
