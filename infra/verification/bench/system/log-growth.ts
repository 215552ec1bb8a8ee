import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { connectEventStore, type EventStore } from '../../../event-store/client/index.ts';
import { origin, positionText } from '../../../event-store/client/position.ts';
import { until } from '../../testbed/index.ts';
import { onAgents, turnsOn } from '../agents/on-agents.ts';
import { inFlight } from '../load.ts';
import { atMost, type Bench, type CheckSubject, type Finding } from '../subject.ts';
import { onWebhooks } from '../webhooks/world.ts';
import { scaled } from './system-scale.ts';
import { onSystem } from './system-stack.ts';

const bars = { pass: 5, stretch: 4 };
const sessions = scaled(200, 5);
const operations = scaled(1_000, 20);
const turns = scaled(200, 5);
const deliveries = scaled(1_000, 20);
const atOnce = 8;
/** Milliseconds without a new event after which nothing is left to record. */
const quietMs = 2_000;

/** Growth of the log by one unit of work: events, their data and metadata in bytes, and the log's file in bytes. */
export const logGrowth: CheckSubject = {
  kind: 'check',
  id: 'log-growth',
  long: true,
  title: 'data and metadata that a session without an operation adds to the log, create to end',
  bars,
  unit: 'kB',
  check: async (bench) => {
    const figures = {
      ...(await ofSessions(bench)),
      ...(await ofTurns(bench)),
      ...(await ofDeliveries(bench)),
    };
    return atMost(bars, (figures.session_bytes ?? Number.NaN) / 1000, figures);
  },
};

const ofSessions = (bench: Bench): Promise<Finding['figures']> =>
  onSystem(within(bench, 'sessions'), {}, ({ client, stack, stores }) =>
    onLog(bench, stores.events, stack.dataDir, async (grown) => {
      const emptySessions = await grown('session', sessions, () =>
        inFlight(sessions, atOnce, async () => client.end(await client.create())),
      );
      const session = await client.create();
      const operating = await grown('operation', operations, () =>
        inFlight(operations, 1, async () => {
          await client.call('POST', `/v1/sessions/${session}/navigate`, { url: 'http://sim.test/' });
        }),
      );
      return { ...emptySessions, ...operating };
    }),
  );

const ofTurns = (bench: Bench): Promise<Finding['figures']> =>
  onAgents(within(bench, 'turns'), async (agents) => {
    const [id = ''] = await agents.open(1);
    return onLog(bench, agents.eventStore, agents.dataDir, (grown) =>
      grown('turn', turns, async () => void (await turnsOn(agents, id, turns))),
    );
  });

/** With the key that each delivery announces: one `ApiKeyCreated` and one `ApiKeyRevoked`. */
const ofDeliveries = (bench: Bench): Promise<Finding['figures']> =>
  onWebhooks({ ...bench, ...within(bench, 'deliveries') }, { queue: 'postgres' }, async (world) => {
    const account = await world.account([world.receivers.url('ok')]);
    const { stack, stores } = world.system;
    return onLog(bench, stores.events, stack.dataDir, (grown) =>
      grown('delivery', deliveries, () => world.causeEvents(account, deliveries)),
    );
  });

const within = ({ directory }: Bench, name: string) => ({ directory: join(directory, name) });

/** Does `work` and returns the growth of the log by each of `count` units. */
type Grown = (unit: string, count: number, work: () => Promise<void>) => Promise<Finding['figures']>;

async function onLog(
  { logger }: Bench,
  url: string,
  dataDir: string,
  use: (grown: Grown) => Promise<Finding['figures']>,
): Promise<Finding['figures']> {
  const store = connectEventStore({ url, logger });
  const size = async () => ({ ...(await sizeOf(store)), disk: await fileOf(dataDir) });
  try {
    return await use(async (unit, count, work) => {
      await quiet(store);
      const before = await size();
      await work();
      await quiet(store);
      const after = await size();
      const each = (what: keyof typeof before) => (after[what] - before[what]) / count;
      return {
        [`${unit}_events`]: each('events'),
        [`${unit}_bytes`]: each('bytes'),
        [`${unit}_disk_bytes`]: each('disk'),
      };
    });
  } finally {
    await store.close();
  }
}

async function sizeOf(store: EventStore) {
  let [events, bytes] = [0, 0];
  for await (const { data, metadata } of store.readAll()) {
    events += 1;
    bytes += Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata));
  }
  return { events, bytes };
}

const fileOf = async (dataDir: string): Promise<number> =>
  (await stat(join(dataDir, 'event-store', 'data.mdb'))).blocks * 512;

async function quiet(store: EventStore): Promise<void> {
  let [head, since] = ['', performance.now()];
  const isQuiet = async (): Promise<boolean> => {
    const now = positionText((await store.head()) ?? origin);
    if (now !== head) [head, since] = [now, performance.now()];
    return performance.now() - since > quietMs;
  };
  await until(isQuiet, { limitMs: 120_000, everyMs: 100 });
}
