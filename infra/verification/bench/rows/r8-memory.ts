import { percentile } from '../latency.ts';
import { heapMb, rebuiltMillion } from '../million-events.ts';
import { atMost, type CheckSubject } from '../subject.ts';

const bars = { pass: 60, stretch: 30 };
/** Memory at a position is the median over this many events before it, since it varies between collections. */
const around = 50_000;

/** R8: a rebuild keeps a few batches in memory, not the log. */
export const rebuildMemory: CheckSubject = {
  kind: 'check',
  id: 'R8',
  title: `resident memory of a rebuild at a million events minus at 100 000, heap limit ${heapMb} MB`,
  bars,
  unit: 'MB',
  async check(bench) {
    const { samples } = await rebuiltMillion(bench);
    const at = (place: number) =>
      percentile(
        samples.filter(({ events }) => events > place - around && events <= place).map(({ rssMb }) => rssMb),
        0.5,
      );
    const [early, late] = [at(100_000), at(1_000_000)];
    return atMost(bars, late - early, {
      mb_at_100k: early,
      mb_at_1m: late,
      mb_at_most: Math.max(...samples.map(({ rssMb }) => rssMb)),
    });
  },
};
