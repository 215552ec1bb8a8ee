import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connectEventStore, type Position } from '../../event-store/client/index.ts';
import { startReadModels } from './read-models.ts';
import { seedLog } from './seed-log.ts';
import { startStoreProcess } from './store-process.ts';
import { onceInRun, type Bench, type BenchRun } from './subject.ts';

export const sizes = [10_000, 100_000, 1_000_000] as const;
export type Size = (typeof sizes)[number];

/** Sessions of ten events, so that a tenth of the events make rows; five events to an append. */
const perStream = 10;
const perAppend = 5;

/** Progress that a rebuild reports after each batch. */
export interface Sample {
  readonly events: number;
  /** Milliseconds since it began. */
  readonly ms: number;
  /** User and system time of the process. */
  readonly cpuMs: number;
  readonly rssMb: number;
}

export interface SampledRebuild {
  readonly samples: readonly Sample[];
  /** The same at the end, after indexing, comparing and swapping. */
  readonly end: Sample;
}

interface SeededLog {
  readonly directory: string;
  /** Position of the last event at each size of the log. */
  readonly ends: ReadonlyMap<Size, Position>;
}

/** A log of a million events, written once in a run. */
const seededLog = onceInRun(async ({ directory, seed, logger }: BenchRun): Promise<SeededLog> => {
  const events = join(directory, 'million-events');
  const server = await startStoreProcess(events);
  const store = connectEventStore({ url: server.url, logger });
  const ends = new Map<Size, Position>();
  let written = 0;
  for (const size of sizes) {
    const firstStream = written / perStream;
    await seedLog(store, { seed, events: size - written, perStream, perAppend, firstStream });
    written = size;
    const head = await store.head();
    if (head !== undefined) ends.set(size, head);
  }
  await store.close();
  await server.stop();
  return { directory: events, ends };
});

/** The log with read models on it, for this process. */
export async function openMillion({ run, directory, logger }: Bench) {
  const log = await seededLog(run);
  const server = await startStoreProcess(log.directory);
  const models = await startReadModels(directory, logger);
  const store = connectEventStore({ url: server.url, logger });
  return {
    ...{ store, pool: models.pool },
    endOf: (size: Size): Position => {
      const end = log.ends.get(size);
      if (end === undefined) throw new Error(`The log was never of ${size} events.`);
      return end;
    },
    close: async () => {
      await store.close();
      await server.stop();
      await models.close();
    },
  };
}

/** The log with read models on it, to be rebuilt up to any of its sizes in a process of its own with a small heap. */
export async function startMillion({ run, directory, logger }: Bench) {
  const log = await seededLog(run);
  const server = await startStoreProcess(log.directory);
  const models = await startReadModels(directory, logger);
  return {
    /** Follows a rebuild of 100,000 in the same process, after which Node has compiled the code. */
    rebuild: (size: Size): Promise<SampledRebuild> => {
      const [warm, end] = [log.ends.get(100_000), log.ends.get(size)];
      if (warm === undefined || end === undefined) throw new Error(`The log was never of ${size} events.`);
      return rebuildInProcess(server.url, models.url, [warm, end]);
    },
    close: async () => {
      await server.stop();
      await models.close();
    },
  };
}

/** One rebuild of the whole log is shared by all subjects of a run. */
export function rebuiltMillion(bench: Bench): Promise<SampledRebuild> {
  const rebuilding = rebuilt.get(bench.run) ?? rebuildMillion(bench);
  rebuilt.set(bench.run, rebuilding);
  return rebuilding;
}
const rebuilt = new WeakMap<BenchRun, Promise<SampledRebuild>>();

async function rebuildMillion(bench: Bench): Promise<SampledRebuild> {
  const million = await startMillion(bench);
  try {
    return await million.rebuild(1_000_000);
  } finally {
    await million.close();
  }
}

const entry = new URL('./rebuild-process.ts', import.meta.url);
/** Heap in megabytes: too small if something were kept for each event. */
export const heapMb = 256;

async function rebuildInProcess(
  storeUrl: string,
  postgresUrl: string,
  positions: readonly Position[],
): Promise<SampledRebuild> {
  const child = fork(
    entry,
    [storeUrl, postgresUrl, ...positions.map(({ commit, prepare }) => `${commit}/${prepare}`)],
    {
      execArgv: ['--import', 'tsx', `--max-old-space-size=${heapMb}`],
    },
  );
  const samples: Sample[] = [];
  child.on('message', (sample: Sample) => samples.push(sample));
  const [code] = (await once(child, 'close')) as [number | null];
  const end = samples.pop();
  if (code !== 0 || end === undefined) throw new Error(`The rebuild ended with exit status ${code}.`);
  return { samples, end };
}
