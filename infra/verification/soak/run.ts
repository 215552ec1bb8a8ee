import { setTimeout as delay } from 'node:timers/promises';
import { inFlight } from '../bench/load.ts';
import { onSystem, type SystemUnderTest } from '../bench/system/system-stack.ts';
import { randomOf } from '../chaos/random.ts';
import { roleNames, roles } from '../../main/roles/table.ts';
import { readStack } from '../../main/supervisor/stack-file.ts';
import type { SoakOptions } from './options.ts';
import { progressOf } from './report.ts';
import { sampleUntil } from './sampling.ts';
import type { SoakResult } from './soak-result.ts';
import { createJournal, createWorkload, type Workload } from './workload.ts';

const sessions = 200;
const atOnce = 32;
const longestTrialS = 60;
/** Share of the total time. */
const trialShare = 0.2;
const longestPauseMs = 10_000;
/** Fewer would show no slope. */
const leastSamples = 20;

/** The whole service in separate processes, with clients that do not wait for one another. */
export const soak = (options: SoakOptions, directory: string): Promise<SoakResult> =>
  onSystem({ directory }, {}, (system) => load(options, system));

async function load({ minutes, rate, seed }: SoakOptions, system: SystemUnderTest): Promise<SoakResult> {
  const { client, stack, stores } = system;
  const ids: string[] = [];
  await inFlight(sessions, 8, async () => void ids.push(await client.create()));
  const journal = createJournal();
  const workload = createWorkload(client, ids, journal, randomOf(seed));
  const capacity = rate === 'half' ? await capacityOf(workload, minutes * 60) : undefined;
  const perSecond = rate === 'half' ? (capacity ?? 0) / 2 : rate;
  journal.take();

  const stopped = new AbortController();
  const everyMs = Math.min(longestPauseMs, (minutes * 60_000) / leastSamples);
  const sampling = sampleUntil(stopped.signal, everyMs, {
    processes: () => stack.processes,
    postgresUrl: stores.postgres,
    metrics: metricsPages(stack.dataDir),
    journal,
    onSample: (sample) => process.stderr.write(`${progressOf(sample)}\n`),
  });
  const seconds = minutes * 60;
  await steadily(workload, perSecond, seconds);
  stopped.abort();
  return { capacity, perSecond, seconds, samples: await sampling, complaints: workload.complaints };
}

/** Operations per second with `clients` that each wait for their answers. */
async function capacityOf(workload: Workload, seconds: number): Promise<number> {
  const startedAt = performance.now();
  const forMs = Math.min(longestTrialS, seconds * trialShare) * 1000;
  let operations = 0;
  const keepAsking = async () => {
    while (performance.now() - startedAt < forMs) {
      await workload.one();
      operations += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, keepAsking));
  return operations / ((performance.now() - startedAt) / 1000);
}

/** Starts operations at a fixed rate, whether or not earlier ones have ended, and waits for the last ones. */
async function steadily(workload: Workload, perSecond: number, seconds: number): Promise<void> {
  const startedAt = performance.now();
  const asked = new Set<Promise<void>>();
  for (let started = 0; started < perSecond * seconds; await delay(1)) {
    const due = Math.min(perSecond * seconds, ((performance.now() - startedAt) * perSecond) / 1000);
    for (; started < due; started += 1) {
      const one = workload.one().finally(() => asked.delete(one));
      asked.add(one);
    }
  }
  await Promise.all(asked);
}

function metricsPages(dataDir: string): Readonly<Record<string, string>> {
  const environment = readStack(dataDir)?.environment ?? {};
  return Object.fromEntries(
    roleNames.map((role) => [role, `http://127.0.0.1:${environment[roles[role].port] ?? ''}`]),
  );
}
