import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import type { AccountId } from '../../../../contracts/ids.ts';
import { newWebhookSecret, signatureHeader } from '../../../webhooks/signature.ts';
import { inFlight } from '../load.ts';
import { spread } from '../rounds.ts';
import { atLeast, type Bench, type CheckSubject, type Finding } from '../subject.ts';
import { usedBy } from '../system/system-processes.ts';
import { scaled } from '../system/system-scale.ts';
import { onWebhooks, type QueueKind, type WebhookWorld } from './world.ts';

const bars = { pass: 0.1, stretch: 0.2 };
const deliveries = scaled(18_000, 300);
const posts = scaled(40_000, 1_000);
const clients = 32;
const endpoints = 100;
const rounds = 5;
/** Polling interval for completion, in milliseconds. */
const pollMs = 10;

const throughputOn = (queue: QueueKind, id: string, long: boolean): CheckSubject => ({
  kind: 'check',
  id,
  long,
  title: `deliveries settled a second, event in to attempt recorded, queue on ${queue} / raw signed POSTs a second, ${clients} in flight`,
  bars,
  unit: 'x',
  check: (bench) => onWebhooks(bench, { queue }, (world) => measure(bench, world)),
});

/** R11: the whole pipeline in its processes, with receivers and load on the same cores. */
export const throughput = throughputOn('redis', 'R11', false);
export const throughputOnPostgres = throughputOn('postgres', 'R11-postgres', true);

async function measure(_bench: Bench, world: WebhookWorld): Promise<Finding> {
  const { receivers, system } = world;
  const account = await world.account(Array.from({ length: endpoints }, (_, n) => receivers.url('ok', n)));
  const readModels = new pg.Pool({ connectionString: system.stores.postgres, max: 1 });
  const pool = new Pool(new URL(receivers.url('ok')).origin, { connections: clients });
  try {
    const measured = [];
    for (let round = 0; round <= rounds; round += 1) {
      const { perSecond: ours, micros } = await settled(world, account, readModels);
      const [raw, again] = [await rawPosts(pool), await rawPosts(pool)];
      measured.push({ ours, raw: (raw + again) / 2, control: again / raw, micros });
    }
    // The first round is a warm-up.
    const counted = measured.slice(1);
    const ratio = spread(counted.map(({ ours, raw }) => ours / raw));
    return atLeast(bars, ratio.median, {
      min: ratio.min,
      max: ratio.max,
      deliveries_per_second: spread(counted.map(({ ours }) => ours)).median,
      posts_per_second: spread(counted.map(({ raw }) => raw)).median,
      control: spread(counted.map(({ control }) => control)).median,
      ...counted.at(-1)?.micros,
    });
  } finally {
    await pool.close();
    await readModels.end();
  }
}

/**
 * Deliveries per second, and each process's CPU time for one, in microseconds. They are settled once the read models
 * show them as delivered; before that only the receivers are polled, which is free for the service.
 */
async function settled(
  { system, receivers, causeEvents }: WebhookWorld,
  account: AccountId,
  readModels: pg.Pool,
): Promise<{ readonly perSecond: number; readonly micros: Readonly<Record<string, number>> }> {
  const before = usedBy(system.stack.processes);
  const [sent, delivered] = [
    (await receivers.count()) + deliveries,
    (await deliveredOf(readModels)) + deliveries,
  ];
  const startedAt = performance.now();
  const happening = causeEvents(account, deliveries / endpoints);
  while ((await receivers.count()) < sent) await delay(pollMs);
  while ((await deliveredOf(readModels)) < delivered) await delay(pollMs);
  const perSecond = (deliveries / (performance.now() - startedAt)) * 1000;
  await happening;
  const micros = Object.entries(usedBy(system.stack.processes)).map(([name, { cpuSeconds }]) => {
    const seconds = cpuSeconds - (before[name]?.cpuSeconds ?? 0);
    return [`cpu_us_${name}`, (seconds * 1e6) / deliveries] as const;
  });
  return { perSecond, micros: Object.fromEntries(micros) };
}

async function deliveredOf(readModels: pg.Pool): Promise<number> {
  const { rows } = await readModels.query<{ count: string }>(
    "select count(*) from read_model.webhook_deliveries where status = 'delivered'",
  );
  return Number(rows[0]?.count);
}

/** The bare request of a delivery. */
async function rawPosts(pool: Pool): Promise<number> {
  const secret = newWebhookSecret();
  const body = Buffer.from(JSON.stringify({ id: randomUUID(), type: 'api_key.revoked', data: {} }));
  const startedAt = performance.now();
  await inFlight(posts, clients, async () => {
    const headers = {
      'content-type': 'application/json',
      'x-service-signature': signatureHeader(body, [secret], new Date()),
    };
    const answer = await pool.request({ method: 'POST', path: '/ok/0', headers, body });
    await answer.body.dump();
  });
  return (posts / (performance.now() - startedAt)) * 1000;
}
