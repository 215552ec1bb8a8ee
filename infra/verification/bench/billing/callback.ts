import { connectEventStore, type EventStore, type Position } from '../../../event-store/client/index.ts';
import type { CryptoProcessor } from '../../../crypto-payments/stand-in/crypto-processor.ts';
import { until } from '../../testbed/index.ts';
import { openLoop, percentile } from '../latency.ts';
import { inFlight } from '../load.ts';
import { watchReadModel } from '../read-model-watch.ts';
import { atMost, type Bench, type CheckSubject, type Finding } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { onSellingSystem, place, settle, type Placed, type SellingSystem } from './selling.ts';

const bars = { pass: 250, stretch: 100 };
const payers = 4;
const perSecond = 20;
const orders = scaled(200, 20);
/** Warm-up: lasting state of the first callbacks is created before measuring. */
const warmUp = scaled(100, 10);
/** Polling interval of the read model in milliseconds: the maximal error of the figures. */
const pollMs = 3;

/** From the answer to a callback until every reader sees the order paid and the account entitled to its tier. */
export const billingCallback: CheckSubject = {
  kind: 'check',
  id: 'billing-callback',
  long: true,
  title: `callback answered to order paid and tier given, for every reader, ${perSecond} callbacks/s in open loop, p99`,
  bars,
  unit: 'ms',
  check: (bench) => onSellingSystem(bench, (system) => measure(bench, system)),
};

async function measure({ logger }: Bench, system: SellingSystem): Promise<Finding> {
  const { stores, payer, processor } = system;
  const clients = await Promise.all(Array.from({ length: payers }, payer));
  const placed: Placed[] = [];
  await inFlight(warmUp + orders, payers, async (_, worker) => {
    const client = clients[worker];
    if (client !== undefined) placed.push(await place(client));
  });
  const store = connectEventStore({ url: stores.events, logger });
  const watch = await watchReadModel(stores.postgres, pollMs);
  try {
    await callBack(processor, placed.slice(0, warmUp));
    const { answers, answeredAt } = await callBack(processor, placed.slice(warmUp));
    const effects = await until(() => effectsOf(store, answeredAt), { limitMs: 60_000, everyMs: 500 });
    for (const { entitled } of effects) await watch.until(entitled.position);
    const took = effects.map((effect) => watch.visibleAt(effect.entitled.position) - effect.answeredAt);
    return atMost(bars, percentile(took, 0.99), {
      orders: took.length,
      p50_ms: percentile(took, 0.5),
      max_ms: percentile(took, 1),
      ...spread('callback', answers),
      ...spread(
        'paid_recorded',
        effects.map(({ paid, answeredAt: from }) => paid.at - from),
      ),
      ...spread(
        'tier_recorded',
        effects.map(({ entitled, answeredAt: from }) => entitled.at - from),
      ),
    });
  } finally {
    await watch.close();
    await store.close();
  }
}

const spread = (name: string, took: readonly number[]) => ({
  [`${name}_p50_ms`]: percentile(took, 0.5),
  [`${name}_p99_ms`]: percentile(took, 0.99),
});

/** Pays all of them, at a fixed rate. */
async function callBack(processor: CryptoProcessor, placed: readonly Placed[]) {
  /** When each order was paid, in milliseconds since the epoch, by its id. */
  const answeredAt = new Map<string, number>();
  const answers = await openLoop({ perSecond, operations: placed.length }, async (index) => {
    const order = placed[index];
    if (order === undefined) return;
    await settle(processor, order.payment_id);
    answeredAt.set(order.id, Date.now());
  });
  return { answers, answeredAt };
}

interface Recorded {
  readonly position: Position;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface Effect {
  readonly answeredAt: number;
  readonly paid: Recorded;
  readonly entitled: Recorded;
}

/** Events that each of the orders led to; undefined until it has led to all of them. */
async function effectsOf(
  store: EventStore,
  answeredAt: ReadonlyMap<string, number>,
): Promise<readonly Effect[] | undefined> {
  const [paid, entitled] = [new Map<string, Recorded>(), new Map<string, Recorded>()];
  for await (const { type, data, position, created } of store.readAll({ prefixes: ['order-', 'account-'] })) {
    const { orderId, source } = data as { readonly orderId?: string; readonly source?: string };
    const recorded = { position, at: created.getTime() };
    if (type === 'OrderPaid' && orderId !== undefined) paid.set(orderId, recorded);
    if (type === 'EntitlementGranted' && source !== undefined) entitled.set(source, recorded);
  }
  const effects = [...answeredAt].flatMap(([id, from]) => {
    const [payment, tier] = [paid.get(id), entitled.get(id)];
    return payment && tier ? [{ answeredAt: from, paid: payment, entitled: tier }] : [];
  });
  return effects.length === answeredAt.size ? effects : undefined;
}
