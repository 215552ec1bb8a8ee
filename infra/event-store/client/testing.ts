import { randomUUID } from 'node:crypto';
import pino from 'pino';
import type { EventMetadata } from '../../../contracts/events/metadata.ts';
import type { EventStoreServer } from '../server/index.ts';
import { startEventLog, type TestEventLog } from '../../verification/testbed/index.ts';
import type { EventStoreOptions } from './index.ts';
import type { EventStore, EventToAppend, Subscription, SubscriptionMessage } from './types.ts';

/** Times short enough for tests, long enough for a loaded machine. */
export const quick = {
  appendDeadlineMs: 4_000,
  silenceMs: 300,
  readDeadlineMs: 4_000,
  stallMs: 200,
} as const;

export const quiet = pino({ level: 'silent' });

export const metadata: EventMetadata = {
  correlation_id: 'correlation',
  causation_id: 'causation',
  actor: { kind: 'system', account_id: null },
  occurred_at: '2026-01-05T12:00:00.000Z',
  schema_version: 1,
  request_id: null,
};

export const counted = (n: number): EventToAppend => ({
  id: randomUUID(),
  type: 'Counted',
  data: { n },
  metadata,
});

export const upTo = (count: number): readonly EventToAppend[] =>
  Array.from({ length: count }, (_, n) => counted(n));

/** A separate log for each test of the suite, and stores on it. Call inside `describe`. */
export function useStore(options: Partial<EventStoreOptions> = {}) {
  const stores: EventStore[] = [];
  let log: TestEventLog | undefined;
  const running = (): TestEventLog => {
    if (log === undefined) throw new Error('There is a log only while a test runs.');
    return log;
  };
  beforeEach(async () => void (log = await startEventLog()));
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await running().close();
  });
  return {
    server: (): EventStoreServer => running().server(),
    connect: (more: Partial<EventStoreOptions> = {}): EventStore => {
      const made = running().connect({ logger: quiet, ...quick, ...options, ...more });
      stores.push(made);
      return made;
    },
    /** `start` restarts it at the same address with the same log. */
    stop: () => running().stop(),
    start: () => running().start(),
  };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The numbers of the next `count` counted events of a subscription, in order of delivery. */
export async function nextNumbers(subscription: Subscription, count: number): Promise<unknown[]> {
  const numbers: unknown[] = [];
  const messages = subscription[Symbol.asyncIterator]();
  while (numbers.length < count) {
    const next: IteratorResult<SubscriptionMessage, unknown> = await messages.next();
    if (next.done) break;
    if (next.value.kind === 'event') numbers.push(numberOf(next.value));
  }
  return numbers;
}

export const numberOf = (message: SubscriptionMessage): unknown =>
  message.kind === 'event' ? dataNumber(message.event.data) : undefined;

export const dataNumber = (data: unknown): unknown =>
  typeof data === 'object' && data !== null && 'n' in data ? data.n : undefined;
