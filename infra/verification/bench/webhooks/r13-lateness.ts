import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../platform/clock.ts';
import { createWakeUps } from '../../../queue/index.ts';
import { startRedis, until } from '../../testbed/index.ts';
import { inFlight } from '../load.ts';
import { percentile } from '../latency.ts';
import { startReadModels } from '../read-models.ts';
import { atMost, type Bench, type CheckSubject } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';

const bars = { pass: 250, stretch: 120 };
const wakeUps = scaled(1_000, 100);
const withinMs = 3_000;
/** Time for scheduling them; the first is due after that. */
const leadMs = 3_000;

/** R13: lateness of wake-ups due at random moments of three seconds, on either queue. */
export const lateness: CheckSubject = {
  kind: 'check',
  id: 'R13',
  title: `lateness of ${wakeUps} wake-ups within ${withinMs / 1000} s, p99 on the slower of the two queues; none early`,
  bars,
  unit: 'ms',
  check: async (bench) => {
    const redis = await onRedis(bench);
    const postgres = await onPostgres(bench);
    const worst = Math.max(percentile(redis, 0.99), percentile(postgres, 0.99));
    const earliest = Math.min(...redis, ...postgres);
    const found = atMost(bars, worst, {
      redis_p50_ms: percentile(redis, 0.5),
      redis_p99_ms: percentile(redis, 0.99),
      postgres_p50_ms: percentile(postgres, 0.5),
      postgres_p99_ms: percentile(postgres, 0.99),
      earliest_ms: earliest,
    });
    return { ...found, passed: found.passed && earliest >= 0, stretched: found.stretched && earliest >= 0 };
  },
};

async function onRedis({ logger }: Bench): Promise<readonly number[]> {
  const redis = await startRedis();
  try {
    return await latenesses(redis.url, logger);
  } finally {
    await redis.stop();
  }
}

async function onPostgres({ directory, logger }: Bench): Promise<readonly number[]> {
  const models = await startReadModels(directory, logger);
  try {
    return await latenesses(models.url, logger);
  } finally {
    await models.close();
  }
}

async function latenesses(url: string, logger: Bench['logger']): Promise<readonly number[]> {
  const queue = createWakeUps({ url, clock: systemClock, logger });
  const due = new Map<string, number>();
  const late: number[] = [];
  queue.onWakeUp(async (id) => {
    late.push(Date.now() - (due.get(id) ?? Number.NaN));
    await delay(0);
  });
  try {
    const firstAt = Date.now() + leadMs;
    await inFlight(wakeUps, 32, async (index) => {
      const dueAt = firstAt + Math.floor((index * withinMs) / wakeUps);
      due.set(`lateness-${index}`, dueAt);
      await queue.schedule(`lateness-${index}`, new Date(dueAt));
    });
    await until(() => late.length === wakeUps, { limitMs: leadMs + withinMs + 30_000, everyMs: 50 });
    return late;
  } finally {
    await queue.close();
  }
}
