import { percentile } from '../latency.ts';
import { heapMb, rebuiltMillion } from '../million-events.ts';
import { atMost, type CheckSubject } from '../subject.ts';

const bars = { pass: 60, stretch: 30 };
/** The memory at a place is the median over this many events before it: between two collections it goes up and down. */
const around = 50_000;

/** R8: a rebuild holds a few batches, not the log. */
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
