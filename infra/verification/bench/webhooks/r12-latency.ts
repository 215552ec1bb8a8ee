import type { AccountId } from '../../../../contracts/ids.ts';
import { openLoop, percentile } from '../latency.ts';
import { atMost, type CheckSubject, type Finding } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { watchOutcomes } from './outcomes.ts';
import { onWebhooks, type WebhookWorld } from './world.ts';

const bars = { pass: 500, stretch: 150 };
const worseBars = { pass: 1.5, stretch: 1.2 };
const endpoints = 10;
const burst = scaled(200, 40);
const events = scaled(400, 60);

/** R12: time from an event in the record to its first attempt at the receiver, at half of the pipeline's capacity. */
export const firstAttempt: CheckSubject = {
  kind: 'check',
  id: 'R12',
  title:
    'event in to first attempt received at half load, p99; with a tenth of the receivers hanging, at most 1.5 times that',
  bars,
  unit: 'ms',
  check: (bench) => onWebhooks(bench, { queue: 'redis' }, measure),
};

async function measure(world: WebhookWorld): Promise<Finding> {
  const { receivers } = world;
  const good = Array.from({ length: endpoints }, (_, n) => receivers.url('ok', n));
  const healthy = await world.account(good);
  const ailing = await world.account([...good.slice(1), receivers.url('hang')]);
  const perSecond = (await capacity(world, healthy)) / 2;
  const calm = await latencies(world, healthy, perSecond, endpoints);
  const troubled = await latencies(world, ailing, perSecond, endpoints - 1);
  const [p99, worse] = [percentile(calm, 0.99), percentile(troubled, 0.99)];
  const found = atMost(bars, p99, {
    p50_ms: percentile(calm, 0.5),
    p99_ms: p99,
    with_a_tenth_hanging_p50_ms: percentile(troubled, 0.5),
    with_a_tenth_hanging_p99_ms: worse,
    times_worse: worse / p99,
    deliveries_per_second: perSecond * endpoints,
  });
  return {
    ...found,
    passed: found.passed && worse / p99 <= worseBars.pass,
    stretched: found.stretched && worse / p99 <= worseBars.stretch,
  };
}

/** Events per second at full speed. */
async function capacity({ store, causeEvents }: WebhookWorld, account: AccountId): Promise<number> {
  const outcomes = watchOutcomes(store);
  const run = async (): Promise<number> => {
    const wanted = outcomes.count() + burst * endpoints;
    const startedAt = performance.now();
    await causeEvents(account, burst);
    await outcomes.reach(wanted);
    return (burst / (performance.now() - startedAt)) * 1000;
  };
  try {
    // The first measurement is a warm-up.
    await run();
    return await run();
  } finally {
    await outcomes.close();
  }
}

/** The latencies of first attempts in milliseconds: one for each event and answering receiver. */
async function latencies(
  { receivers, causeEvent, store }: WebhookWorld,
  account: AccountId,
  perSecond: number,
  receiving: number,
): Promise<readonly number[]> {
  await receivers.seen();
  const outcomes = watchOutcomes(store);
  const begun = new Map<string, number>();
  const wanted = outcomes.count() + events * receiving;
  await openLoop({ perSecond, operations: events }, async () => {
    const at = Date.now();
    begun.set(await causeEvent(account), at);
  });
  await outcomes.reach(wanted);
  await outcomes.close();
  const { arrivals } = await receivers.seen();
  return arrivals.map(([id, at]) => at - (begun.get(id) ?? Number.NaN)).filter((ms) => !Number.isNaN(ms));
}
