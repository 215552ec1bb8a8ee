import { sizes, startMillion } from '../million-events.ts';
import { logLogSlope } from '../slope.ts';
import { atMost, type CheckSubject, type Finding } from '../subject.ts';

/** 1 means proportional growth. */
const bars = { pass: 1.05, stretch: 1 };

/**
 * Rebuilds of 10,000, 100,000 and a million events, judged by the CPU time of a warmed-up process, since starting and
 * compiling are no growth.
 */
export const rebuildGrowth: CheckSubject = {
  kind: 'check',
  id: 'growth-rebuild',
  title: 'CPU time of a rebuild, from 10 000 to a million events',
  long: true,
  bars,
  unit: 'slope',
  async check(bench) {
    const million = await startMillion(bench);
    try {
      const rebuilt = [];
      for (const size of sizes) rebuilt.push({ size, ...(await million.rebuild(size)).end });
      const slope = logLogSlope(rebuilt.map(({ size, cpuMs }) => ({ size, time: cpuMs })));
      const figures: [string, number][] = rebuilt.flatMap(({ size, ms, cpuMs }): [string, number][] => [
        [`seconds_${size}`, ms / 1000],
        [`cpu_seconds_${size}`, cpuMs / 1000],
      ]);
      return atMost(bars, slope, {
        slope_by_clock: logLogSlope(rebuilt.map(({ size, ms }) => ({ size, time: ms }))),
        ...Object.fromEntries(figures),
      } satisfies Finding['figures']);
    } finally {
      await million.close();
    }
  },
};
