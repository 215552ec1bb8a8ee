import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { schedulingWindowMs } from '../../../../commands/webhook-delivery/index.ts';
import { openDeliveriesIn } from '../../../../projections/queries/webhook-delivery.ts';
import type { WakeUps } from '../../../queue/types.ts';
import { percentile, timed } from '../latency.ts';
import { usedBy, type Use } from '../system/system-processes.ts';
import type { WebhookWorld } from './world.ts';

/** Figures that could grow with scheduled deliveries, sampled during the sweep. */
export interface Sweeping {
  /** Resident memory, median of the last ten samples. */
  readonly mb: Readonly<Record<'processes' | 'worker' | 'redis', number>>;
  /** Maximal number in the queue, waiting or active. */
  readonly jobs: number;
  /** CPU time in milliseconds per second. */
  readonly cpu: Readonly<Record<'processes' | 'worker' | 'postgres', number>>;
  /** Milliseconds of the sweep's queries: for what to queue, and for what is overdue. */
  readonly statements: readonly number[];
}

interface Sampled {
  readonly world: WebhookWorld;
  readonly pool: pg.Pool;
  readonly wakeUps: Pick<WakeUps, 'counts'>;
}

const everyMs = 3000;
const page = 2000;
const lastSamples = 10;

/** Samples until `until`, in milliseconds since the epoch. */
export async function sampleUsage({ world, pool, wakeUps }: Sampled, until: number): Promise<Sweeping> {
  const { processes: pids } = world.system.stack;
  const redis = new Redis(world.queueUrl);
  const samples: Sweeping['mb'][] = [];
  const statements: number[] = [];
  let jobs = 0;
  const [before, startedAt] = [usedBy(pids), performance.now()];
  try {
    while (Date.now() < until) {
      samples.push(memoryOf(usedBy(pids), await redis.info('memory')));
      jobs = Math.max(jobs, sum(Object.values(await wakeUps.counts())));
      for (const statement of statementsOn(pool)) statements.push(await timed(statement));
      await delay(everyMs);
    }
  } finally {
    redis.disconnect();
  }
  const [after, seconds] = [usedBy(pids), (performance.now() - startedAt) / 1000];
  const cpuOf = (name: string): number =>
    (1000 * ((after[name]?.cpuSeconds ?? 0) - (before[name]?.cpuSeconds ?? 0))) / seconds;
  const last = samples.slice(-lastSamples);
  const median = (of: keyof Sweeping['mb']): number =>
    percentile(
      last.map((look) => look[of]),
      0.5,
    );
  return {
    mb: { processes: median('processes'), worker: median('worker'), redis: median('redis') },
    cpu: { processes: cpuOf('processes'), worker: cpuOf('worker'), postgres: cpuOf('postgres') },
    jobs,
    statements,
  };
}

function memoryOf(used: Readonly<Record<string, Use>>, info: string): Sweeping['mb'] {
  const redis = Number(/^used_memory_rss:(\d+)/m.exec(info)?.[1]) / 2 ** 20;
  return { processes: used.processes?.rssMb ?? NaN, worker: used.worker?.rssMb ?? NaN, redis };
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);

/** The sweep's queries: of three seconds at the end of its window, and from the beginning. */
function statementsOn(pool: Pick<pg.Pool, 'query'>): readonly (() => Promise<unknown>)[] {
  const open = openDeliveriesIn(pool);
  const inMs = (ms: number): Date => new Date(Date.now() + ms);
  const ahead = schedulingWindowMs / 2;
  return [
    () => open.due(inMs(ahead), { next_attempt_at: inMs(ahead - everyMs), id: '' }, page),
    () => open.due(inMs(0), { next_attempt_at: new Date(0), id: '' }, page),
  ];
}
