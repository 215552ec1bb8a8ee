import pg from 'pg';
import { hourMs } from '../../../../contracts/durations.ts';
import type { WebhookId } from '../../../../contracts/ids.ts';
import { deliveriesSweep } from '../../../../commands/process-managers/webhook-delivery/sweep.ts';
import { openDeliveriesIn } from '../../../../projections/queries/webhook-delivery.ts';
import { systemClock } from '../../../platform/clock.ts';
import { queueNames } from '../../../main/composition/wake-ups.ts';
import { createWakeUps } from '../../../queue/index.ts';
import type { WakeUps } from '../../../queue/types.ts';
import { percentile, timed } from '../latency.ts';
import { atMost, type Bench, type CheckSubject, type Finding } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { watchOutcomes } from './outcomes.ts';
import { fillScheduled, scheduleReal, type Subscribed } from './scheduled.ts';
import { sampleUsage, type Sweeping } from './sweeping.ts';
import { onWebhooks, type WebhookWorld } from './world.ts';

const bars = { pass: 100, stretch: 50 };
/** p99 of the deliveries that the sweep queues, in milliseconds. */
const latenessBar = 250;
const deliveries = scaled(1_000_000, 20_000);
const endpoints = 100;

/** The real ones are due in the last part of the observed time, at the same rate as the million. */
const realMs = 30_000;
/**
 * The sweep queues them a minute ahead; before that they must exist. Filling ends with a vacuum, which may take long.
 */
const aheadMs = 90_000;
const vacuumMs = 30_000;
/** Warm-up events before the observed time: so many to each endpoint. */
const warmUp = 20;

/**
 * A million deliveries that wait for their next attempts, spread over an hour. Observed for a minute and a half without
 * them and again with them, while the sweep queues some and real ones among them are sent: additional memory of the
 * process host, a worker and Redis, lateness of attempts, and cost of the sweep.
 */
export const millionScheduled: CheckSubject = {
  kind: 'check',
  id: 'deliveries-million',
  title: `${deliveries} deliveries scheduled within an hour: memory that process host, worker and Redis take more; attempts in time (p99 ${latenessBar} ms, none early)`,
  long: true,
  bars,
  unit: 'MB',
  check: (bench) => onWebhooks(bench, { queue: 'redis' }, (world) => measure(bench, world)),
};

interface Measuring {
  readonly world: WebhookWorld;
  readonly pool: pg.Pool;
  readonly wakeUps: WakeUps;
  readonly subscribed: Subscribed;
}

async function measure({ logger }: Bench, world: WebhookWorld): Promise<Finding> {
  const pool = new pg.Pool({ connectionString: world.system.stores.postgres });
  const queue = { url: world.queueUrl, queueName: queueNames.deliveries };
  const wakeUps = createWakeUps({ ...queue, clock: systemClock, logger });
  try {
    const measuring = { world, pool, wakeUps, subscribed: await subscribe(world, pool) };
    await warm(measuring);
    const without = await phase(measuring, Date.now() + aheadMs + realMs);
    const leadMs = vacuumMs + aheadMs + realMs;
    const spread = { deliveries, overMs: hourMs, leadMs };
    const withThem = await phase(measuring, await fillScheduled(pool, measuring.subscribed, spread));
    return judge(without, withThem, await sweepAnew(measuring, logger));
  } finally {
    await wakeUps.close();
    await pool.end();
  }
}

async function subscribe({ account, receivers }: WebhookWorld, pool: pg.Pool): Promise<Subscribed> {
  const owner = await account(Array.from({ length: endpoints }, (_, n) => receivers.url('ok', n)));
  const { rows } = await pool.query<{ id: WebhookId }>(
    'select id from read_model.webhooks where account_id = $1',
    [owner],
  );
  return { account: owner, webhooks: rows.map(({ id }) => id) };
}

async function warm({ world, subscribed }: Measuring): Promise<void> {
  const outcomes = watchOutcomes(world.store);
  await world.causeEvents(subscribed.account, warmUp);
  await outcomes.reach(warmUp * endpoints);
  await outcomes.close();
  await world.receivers.seen();
}

interface Phase extends Sweeping {
  /** Lateness of the real ones in milliseconds. */
  readonly late: readonly number[];
}

async function phase({ world, pool, wakeUps, subscribed }: Measuring, until: number): Promise<Phase> {
  const { store, receivers } = world;
  const outcomes = watchOutcomes(store);
  try {
    const spread = { deliveries: Math.round((deliveries * realMs) / hourMs), overMs: realMs };
    const due = await scheduleReal(store, subscribed, { ...spread, firstDue: until - realMs });
    const looked = await sampleUsage({ world, pool, wakeUps }, until);
    await outcomes.reach(due.size);
    const { arrivals } = await receivers.seen();
    return { ...looked, late: arrivals.map(([id, at]) => at - (due.get(id) ?? Number.NaN)) };
  } finally {
    await outcomes.close();
  }
}

/** Milliseconds of a sweep from the beginning, as after a restart, and the shortest of the following ones. */
async function sweepAnew({ pool, wakeUps }: Measuring, logger: Bench['logger']) {
  const cancel = () => Promise.resolve();
  const ports = { open: openDeliveriesIn(pool), clock: systemClock, wakeUps, cancel, logger };
  const sweep = deliveriesSweep(ports, 0);
  const run = () => sweep.run(new AbortController().signal);
  const [first, ...later] = [await timed(run), await timed(run), await timed(run), await timed(run)];
  return { sweep_anew_ms: first, sweep_ms: Math.min(...later) };
}

function judge(without: Phase, withThem: Phase, figures: Finding['figures']): Finding {
  const { mb, late } = withThem;
  const grown = {
    processes: mb.processes - without.mb.processes,
    worker: mb.worker - without.mb.worker,
    redis: mb.redis - without.mb.redis,
  };
  const p99 = percentile(late, 0.99);
  const earliest = Math.min(...late);
  const found = atMost(bars, grown.processes + grown.worker + grown.redis, {
    ...named('without', without),
    ...named('with', withThem),
    ...figures,
    earliest_ms: earliest,
  });
  const isInTime = p99 <= latenessBar && earliest >= 0;
  return { ...found, passed: found.passed && isInTime, stretched: found.stretched && isInTime };
}

const named = (name: string, { mb, cpu, jobs, statements, late }: Phase): Finding['figures'] => ({
  [`processes_mb_${name}`]: mb.processes,
  [`worker_mb_${name}`]: mb.worker,
  [`redis_mb_${name}`]: mb.redis,
  [`jobs_at_most_${name}`]: jobs,
  [`processes_cpu_ms_per_s_${name}`]: cpu.processes,
  [`worker_cpu_ms_per_s_${name}`]: cpu.worker,
  [`postgres_cpu_ms_per_s_${name}`]: cpu.postgres,
  [`statement_p50_ms_${name}`]: percentile(statements, 0.5),
  [`statement_max_ms_${name}`]: Math.max(...statements),
  [`late_p50_ms_${name}`]: percentile(late, 0.5),
  [`late_p99_ms_${name}`]: percentile(late, 0.99),
});
