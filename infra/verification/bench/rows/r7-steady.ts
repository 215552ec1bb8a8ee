import { percentile } from '../latency.ts';
import { rebuiltMillion, type Sample } from '../million-events.ts';
import { atLeast, type CheckSubject } from '../subject.ts';

const bars = { pass: 0.85, stretch: 0.95 };
const stretch = 100_000;
/** Rates are medians over windows of this many events, so that a pause of the machine does not matter. */
const window = 10_000;

/** R7: the speed of a rebuild does not fall with the number of written rows. */
export const steadyRebuild: CheckSubject = {
  kind: 'check',
  id: 'R7',
  title: 'rebuild: events a second over the last 100 000 of a million / over the first 100 000 after warm-up',
  bars,
  unit: 'x',
  async check(bench) {
    const { samples, end } = await rebuiltMillion(bench);
    const first = samples.filter(({ events }) => events <= stretch);
    const last = samples.filter(({ events }) => events > end.events - stretch);
    const firstMs = windowTime(first, ({ ms }) => ms);
    const lastMs = windowTime(last, ({ ms }) => ms);
    return atLeast(bars, firstMs / lastMs, {
      by_cpu: windowTime(first, ({ cpuMs }) => cpuMs) / windowTime(last, ({ cpuMs }) => cpuMs),
      first_events_per_second: (1000 * window) / firstMs,
      last_events_per_second: (1000 * window) / lastMs,
      events: end.events,
      seconds: end.ms / 1000,
    });
  },
};

/** Median time of a window, by the given clock. */
function windowTime(samples: readonly Sample[], clock: (sample: Sample) => number): number {
  const times: number[] = [];
  let from = samples[0];
  for (const sample of samples) {
    if (from === undefined || sample.events < from.events + window) continue;
    times.push(((clock(sample) - clock(from)) * window) / (sample.events - from.events));
    from = sample;
  }
  return percentile(times, 0.5);
}
