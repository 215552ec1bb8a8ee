import { percentile } from '../latency.ts';
import { atMost, type CheckSubject, type Finding } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { watchOutcomes } from './outcomes.ts';
import { onWebhooks, type WebhookWorld } from './world.ts';

const endpoints = scaled(1_000, 100);
const rounds = 5;
const fanOutBars = { pass: 5_000, stretch: 2_000 };

/** One event to many endpoints: from its append until the last of them has it. */
export const fanOut: CheckSubject = {
  kind: 'check',
  id: 'webhook-fan-out',
  long: true,
  title: `one event to ${endpoints} endpoints, append to the last one received`,
  bars: fanOutBars,
  unit: 'ms',
  check: (bench) => onWebhooks(bench, { queue: 'redis' }, toAll),
};

async function toAll(world: WebhookWorld): Promise<Finding> {
  const { receivers, store } = world;
  const account = await world.account(Array.from({ length: endpoints }, (_, n) => receivers.url('ok', n)));
  const outcomes = watchOutcomes(store);
  const [lasts, firsts]: [number[], number[]] = [[], []];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const wanted = outcomes.count() + endpoints;
      await receivers.seen();
      const startedAt = Date.now();
      await world.causeEvent(account);
      await outcomes.reach(wanted);
      const took = (await receivers.seen()).arrivals.map(([, at]) => at - startedAt);
      // The first round is a warm-up.
      if (round === 0) continue;
      lasts.push(Math.max(...took));
      firsts.push(Math.min(...took));
    }
    return atMost(fanOutBars, percentile(lasts, 0.5), {
      first_received_ms: percentile(firsts, 0.5),
      last_received_ms: percentile(lasts, 0.5),
      worst_ms: Math.max(...lasts),
    });
  } finally {
    await outcomes.close();
  }
}

const backlog = scaled(10_000, 500);
const backlogBars = { pass: 10, stretch: 10 };

/** A backlog is sent once the worker is back, with at most an endpoint's slots at once. */
export const backlogDrain: CheckSubject = {
  kind: 'check',
  id: 'webhook-backlog',
  long: true,
  title: `drain of ${backlog} deliveries to one endpoint after an outage: the most requests under way at once`,
  bars: backlogBars,
  unit: 'requests',
  check: (bench) => onWebhooks(bench, { queue: 'redis' }, drain),
};

async function drain(world: WebhookWorld): Promise<Finding> {
  const { receivers, store, system } = world;
  const account = await world.account([receivers.url('slow')]);
  const outcomes = watchOutcomes(store);
  try {
    system.stack.pause('worker');
    await world.causeEvents(account, backlog);
    await receivers.seen();
    const startedAt = performance.now();
    system.stack.resume('worker');
    await outcomes.reach(backlog);
    const seconds = (performance.now() - startedAt) / 1000;
    const { mostAtOnce, arrivals } = await receivers.seen();
    return atMost(backlogBars, mostAtOnce, {
      seconds,
      deliveries_per_second: backlog / seconds,
      delivered: arrivals.length,
    });
  } finally {
    await outcomes.close();
  }
}
