import { connectEventStore, type EventStore, type Position } from '../../../event-store/client/index.ts';
import { openLoop, percentile } from '../latency.ts';
import { inFlight } from '../load.ts';
import { watchReadModel } from '../read-model-watch.ts';
import { atMost, type Bench, type CheckSubject, type Finding } from '../subject.ts';
import { scaled } from '../system-scale.ts';
import { onSellingSystem, place, settle, type Placed, type SellingSystem } from './selling.ts';

const bars = { pass: 250, stretch: 100 };
const payers = 4;
const perSecond = 20;
const orders = scaled(200, 20);
/** What comes with the first callbacks is there before they are measured. */
const warmUp = scaled(100, 10);
/** How often the read model is looked at, in milliseconds: the figures are too large by up to that. */
const lookMs = 3;

/** From the answer to a callback until every reader sees the order paid and the account entitled to its tier. */
export const billingCallback: CheckSubject = {
  kind: 'check',
  id: 'billing-callback',
  title: `callback answered to order paid and tier given, for every reader, ${perSecond} callbacks/s in open loop, p99`,
  bars,
  unit: 'ms',
  check: (bench) => onSellingSystem(bench, (system) => measure(bench, system)),
};

async function measure({ logger }: Bench, { stores, payer, processor }: SellingSystem): Promise<Finding> {
  const clients = await Promise.all(Array.from({ length: payers }, payer));
  const placed: Placed[] = [];
  await inFlight(warmUp + orders, payers, async (_, worker) => {
    const client = clients[worker];
    if (client !== undefined) placed.push(await place(client));
  });
  const answeredAt = new Map<string, number>();
  const callBack = async ({ id, payment_id }: Placed): Promise<void> => {
    await settle(processor, payment_id);
    answeredAt.set(id, Date.now());
  };
  const calledBack = async (some: readonly Placed[]) =>
    openLoop({ perSecond, operations: some.length }, async (index) => {
      const order = some[index];
      if (order !== undefined) await callBack(order);
    });

  const store = connectEventStore({ url: stores.events, logger });
  const watch = await watchReadModel(stores.postgres, lookMs);
  try {
    await calledBack(placed.slice(0, warmUp));
    const measured = placed.slice(warmUp);
    const answers = await calledBack(measured);
    const ids = new Set(measured.map(({ id }) => id));
    const effects = await effectsOf(store, ids);
    const since = (id: string, at: number): number => Math.max(0, at - (answeredAt.get(id) ?? Number.NaN));
    for (const { entitled } of effects.values()) await watch.until(entitled.position);
    const took = [...effects].map(([id, { entitled }]) => since(id, watch.visibleAt(entitled.position)));
    const paid = [...effects].map(([id, effect]) => since(id, effect.paid.at));
    const given = [...effects].map(([id, effect]) => since(id, effect.entitled.at));
    return atMost(bars, percentile(took, 0.99), {
      orders: took.length,
      p50_ms: percentile(took, 0.5),
      max_ms: percentile(took, 1),
      paid_recorded_p50_ms: percentile(paid, 0.5),
      paid_recorded_p99_ms: percentile(paid, 0.99),
      tier_recorded_p50_ms: percentile(given, 0.5),
      tier_recorded_p99_ms: percentile(given, 0.99),
      callback_p50_ms: percentile(answers, 0.5),
      callback_p99_ms: percentile(answers, 0.99),
    });
  } finally {
    await watch.close();
    await store.close();
  }
}

interface Recorded {
  readonly position: Position;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface Effect {
  readonly paid: Recorded;
  readonly entitled: Recorded;
}

/** What each of the orders led to, once all of them have: the log is read again until then. */
async function effectsOf(store: EventStore, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Effect>> {
  for (;;) {
    const [paid, entitled] = [new Map<string, Recorded>(), new Map<string, Recorded>()];
    for await (const { type, data, position, created } of store.readAll({
      prefixes: ['order-', 'account-'],
    })) {
      const { orderId, source } = data as { readonly orderId?: string; readonly source?: string };
      const recorded = { position, at: created.getTime() };
      if (type === 'OrderPaid' && orderId !== undefined) paid.set(orderId, recorded);
      if (type === 'EntitlementGranted' && source !== undefined) entitled.set(source, recorded);
    }
    const effects = [...ids].flatMap((id) => {
      const [payment, tier] = [paid.get(id), entitled.get(id)];
      return payment && tier ? [[id, { paid: payment, entitled: tier }] as const] : [];
    });
    if (effects.length === ids.size) return new Map(effects);
  }
}
