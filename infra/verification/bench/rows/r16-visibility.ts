import { connectEventStore, type EventStore } from '../../../event-store/client/index.ts';
import { inFlight } from '../load.ts';
import { openLoop, percentile } from '../latency.ts';
import { watchReadModel, type ReadModelWatch } from '../read-model-watch.ts';
import { atMost, type Bench, type CheckSubject, type Finding } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { onSystem, type SystemUnderTest } from '../system/system-stack.ts';

const bars = { pass: 250, stretch: 60 };
const perSecond = 200;
const commands = scaled(4_000);
/** Each waits two seconds between its commands, so that they do not overlap. */
const sessions = 2 * perSecond;
/** Polling interval of the read model in milliseconds: the maximal error of the figures. */
const pollMs = 3;

/** From an event's time in the record until its row is visible to every reader, under commands at a fixed rate. */
export const visibility: CheckSubject = {
  kind: 'check',
  id: 'R16',
  title: `append to visible row, ${perSecond} commands/s in open loop through the whole service, p99`,
  bars,
  unit: 'ms',
  check: (bench) => onSystem(bench, {}, (system) => measure(bench, system)),
};

async function measure({ logger }: Bench, { stores, client }: SystemUnderTest): Promise<Finding> {
  const ids: string[] = [];
  await inFlight(sessions, 8, async () => void ids.push(await client.create()));
  const store = connectEventStore({ url: stores.events, logger });
  const watch = await watchReadModel(stores.postgres, pollMs);
  try {
    const startedAt = Date.now();
    const took = await openLoop({ perSecond, operations: commands }, (index) =>
      client.call('POST', `/v1/sessions/${ids[index % sessions] ?? ''}/navigate`, {
        url: 'http://sim.test/',
      }),
    );
    const seconds = (Date.now() - startedAt) / 1000;
    const delays = await delaysSince(startedAt, store, watch);
    return atMost(bars, percentile(delays, 0.99), {
      p50_ms: percentile(delays, 0.5),
      max_ms: percentile(delays, 1),
      events: delays.length,
      commands_per_second: commands / seconds,
      command_p50_ms: percentile(took, 0.5),
      command_p99_ms: percentile(took, 0.99),
    });
  } finally {
    await watch.close();
    await store.close();
  }
}

/** From each event's time in the record until its row was first seen. */
async function delaysSince(startedAt: number, store: EventStore, watch: ReadModelWatch): Promise<number[]> {
  const head = await store.head();
  if (head !== undefined) await watch.until(head);
  const delays: number[] = [];
  for await (const { created, position } of store.readAll({ prefixes: ['session-'] })) {
    if (created.getTime() >= startedAt) delays.push(watch.visibleAt(position) - created.getTime());
  }
  return delays;
}
