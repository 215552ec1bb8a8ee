import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import { startEventStoreServer } from '../../event-store/server/index.ts';
import { connectEventStore, type EventStore } from '../../event-store/client/index.ts';
import { percentile, timed } from './latency.ts';
import { benchData, benchMetadata } from './load.ts';
import { seededStream, seedLog } from './seed-log.ts';
import { logLogSlope } from './slope.ts';
import { startStoreProcess } from './store-process.ts';
import { atMost, type Bench, type CheckSubject, type Finding } from './subject.ts';

/** Maximal slope of an append and of a point read. */
const bars = { pass: 0.05, stretch: 0.02 };
const sizes = [10_000, 100_000, 1_000_000];
const perStream = 20;
const samples = 300;
/** Warm-up operations, so that the needed pages and code are in memory. */
const warmUps = 50;

/** Measurements at each size. Times are the median of `samples` sequential operations, in milliseconds. */
const measurements = ['append', 'point_read', 'page_at_end', 'open', 'append_cpu_us', 'disk_mb'] as const;
type Measured = Readonly<Record<(typeof measurements)[number], number>>;

/**
 * Growth of the embedded store from ten thousand events to a million: appends and point reads should cost the same. The
 * larger of their two slopes is judged. `open` is the part of a restart that could grow, without starting a process.
 */
export const storeGrowth: CheckSubject = {
  kind: 'check',
  id: 'store-growth',
  title: `slope of append and point read from ${sizes.join(' to ')} events`,
  long: true,
  bars,
  unit: 'slope',
  async check(bench) {
    const series: (Measured & { readonly size: number })[] = [];
    for (const size of sizes) {
      const from = series.at(-1)?.size ?? 0;
      series.push({ size, ...(await grownTo(size, from, bench)) });
    }
    const slope = (name: keyof Measured) =>
      logLogSlope(series.map(({ size, [name]: time }) => ({ size, time })));
    const slopes = Object.fromEntries(measurements.map((name) => [`${name}_slope`, slope(name)]));
    const worst = Math.max(Math.abs(slope('append')), Math.abs(slope('point_read')));
    return atMost(bars, worst, { ...slopes, ...figuresOf(series) });
  },
};

const figuresOf = (series: readonly (Measured & { readonly size: number })[]): Finding['figures'] =>
  Object.fromEntries(
    series.flatMap(({ size, ...measured }) =>
      Object.entries(measured).map(([name, value]) => [`${name}_at_${size}`, value]),
    ),
  );

/** Adds to the log until it has `size` events, and measures it. */
async function grownTo(size: number, from: number, { directory, logger, seed }: Bench): Promise<Measured> {
  const operations = await serving(directory, logger, async (store) => {
    const firstStream = from / perStream;
    await seedLog(store, { seed, events: size - from, perStream, perAppend: perStream, firstStream });
    await measureOperations(store, seed, size, warmUps);
    return measureOperations(store, seed, size, samples);
  });
  const { blocks } = await stat(join(directory, 'data.mdb'));
  return { ...operations, open: await timeToOpen(directory), disk_mb: (blocks * 512) / 1e6 };
}

async function serving<T>(
  directory: string,
  logger: Logger,
  work: (store: EventStore) => Promise<T>,
): Promise<T> {
  const server = await startStoreProcess(directory);
  const store = connectEventStore({ url: server.url, logger });
  try {
    return await work(store);
  } finally {
    await store.close();
    await server.stop();
  }
}

async function measureOperations(store: EventStore, seed: number, size: number, times: number) {
  const cpuBefore = process.cpuUsage();
  const append = await medianOf(times, async () => {
    const id = randomUUID();
    const event = { id, type: 'Benched', data: benchData, metadata: benchMetadata };
    await store.append(`bench-${id}`, 'no_stream', [event]);
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  const streams = size / perStream;
  // Evenly spread and the same every time: a step that is coprime to the number of streams.
  const point_read = await medianOf(times, (n) =>
    drain(store.readStream(seededStream(seed, (n * 7_919) % streams))),
  );
  const page_at_end = await medianOf(times, () =>
    drain(store.readAll({ direction: 'backwards', limit: 50 })),
  );
  return { append, point_read, page_at_end, append_cpu_us: (user + system) / times };
}

async function timeToOpen(dataDir: string): Promise<number> {
  const opened: number[] = [];
  while (opened.length < 5) {
    const startedAt = performance.now();
    const server = await startEventStoreServer({ dataDir });
    opened.push(performance.now() - startedAt);
    await server.close();
  }
  return percentile(opened, 0.5);
}

async function medianOf(times: number, work: (index: number) => Promise<void>): Promise<number> {
  const took: number[] = [];
  while (took.length < times) took.push(await timed(() => work(took.length)));
  return percentile(took, 0.5);
}

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  const all = events[Symbol.asyncIterator]();
  while ((await all.next()).done !== true) continue;
}
