import { pino } from 'pino';
import { uuidOf, type SessionId } from '../../../contracts/ids.ts';
import { connectEventStore, type RecordedEvent } from '../../event-store/client/index.ts';
import { startFaultyStack, until, type FaultyStack } from '../testbed/index.ts';
import type { Client } from './client.ts';
import { newDriverLog, type DriverLog } from './driver-log.ts';

/** A stack that can be broken, observed from outside. */
export interface World extends Pick<DriverLog, 'reached' | 'launched' | 'repeated'> {
  readonly stack: FaultyStack;
  /** The types of a session's events, from the store itself. */
  eventsOf(id: SessionId): Promise<string[]>;
  /** Event types of any stream. */
  typesIn(stream: string): Promise<string[]>;
  readStream(stream: string): Promise<readonly RecordedEvent[]>;
  /** Events of all streams of a category, in the order of the log. */
  eventsUnder(category: string): Promise<readonly RecordedEvent[]>;
  /** Event types of an account's slots. */
  slotEventsOf(client: Client): Promise<string[]>;
  /** Resolves when a session has this event. */
  recorded(id: SessionId, type: string): Promise<unknown>;
  /** Number of settled receipts so far. */
  keptAnswers(): Promise<number>;
}

/** Shortened leases and sweep intervals; each is longer than what it waits for. */
export const shortened = {
  RATE_LIMITS: 'off',
  NODE_CAPACITY: '1000',
  HEARTBEAT_INTERVAL: '200ms',
  // More than two heartbeats that fail by their timeout of 5 s.
  NODE_LOST_AFTER: '12s',
  CREATION_DEADLINE: '5s',
  CREATION_LEASE: '8s',
  SLOT_LEASE: '6s',
  SAVE_LEASE: '18s',
  APPEND_DEADLINE: '4s',
  FREE_SESSION_LIMIT: '4s',
  SWEEP_INTERVAL: '500ms',
  QUEUE_LOCK: '2s',
  WEBHOOK_BACKOFF: '20ms,20ms,20ms,20ms,20ms',
  WEBHOOK_TIMEOUT: '2s',
  OUTBOUND_ALLOW: '127.0.0.0/8',
};

let started: Promise<World> | undefined;

/** Shared by all suites; each leaves it intact. The run's teardown ends it. */
export const world = (): Promise<World> => (started ??= startWorld());

/** A separate world for a suite that needs other settings; the run's teardown ends it, too. */
export async function startWorld(env: Readonly<Record<string, string>> = {}): Promise<World> {
  const log = newDriverLog();
  const through = ['event-store', 'postgres', 'redis', 'write-api', 'node'] as const;
  const stack = await startFaultyStack({
    env: { ...shortened, DRIVER_LOG: log.path, ...env },
    through,
  });
  const direct = connectEventStore({ url: stack.stores.eventStore.url, logger: pino({ level: 'silent' }) });
  const readStream = (stream: string) => collected(direct.readStream(stream));
  const eventsUnder = (category: string) => collected(direct.readAll({ prefixes: [`${category}-`] }));
  const typesIn = async (stream: string) => typesOf(await readStream(stream));
  const eventsOf = (id: SessionId) => typesIn(`session-${uuidOf(id)}`);
  return {
    stack,
    reached: log.reached,
    launched: log.launched,
    repeated: log.repeated,
    eventsOf,
    typesIn,
    readStream,
    eventsUnder,
    slotEventsOf: ({ account }) => typesIn(`account_slots-${account.account_id.slice('acc_'.length)}`),
    recorded: (id, type) => until(async () => (await eventsOf(id)).includes(type), { limitMs: 20_000 }),
    keptAnswers: async () =>
      typesOf(await eventsUnder('receipt')).filter((type) => type === 'ReceiptSettled').length,
  };
}

async function collected(events: AsyncIterable<RecordedEvent>): Promise<readonly RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const typesOf = (events: readonly RecordedEvent[]): string[] => events.map(({ type }) => type);
