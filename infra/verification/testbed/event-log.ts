import { randomUUID } from 'node:crypto';
import { type EventStoreServer, startEventStoreServer } from '../../event-store/server/index.ts';
import { connectEventStore, type EventStoreOptions } from '../../event-store/client/index.ts';
import {
  type EventStore,
  type RecordedEvent,
  type Subscription,
  type SubscriptionMessage,
  WrongExpectedRevision,
} from '../../event-store/client/types.ts';
import { createUpcast } from '../../event-store/client/decoding.ts';
import { tempDir } from './temp-dir.ts';

/** An empty log, on the embedded event store of this process or on the one that `EVENTSTORE_URL` names. */
export interface TestEventLog {
  readonly url: string;
  connect(options: Omit<EventStoreOptions, 'upcast' | 'url'> & { readonly url?: string }): EventStore;
  /** The embedded server. On any other one, a test that uses it is skipped. */
  server(): EventStoreServer;
  /** Directory of its files. */
  dataDir(): string;
  stop(): Promise<void>;
  /** Restarts it at the same address, with the same log. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Store that store-bound suites use instead of embedded servers of their own. */
const givenUrl = process.env.EVENTSTORE_URL;

export const startEventLog = (): Promise<TestEventLog> =>
  givenUrl === undefined ? embedded() : Promise.resolve(onServer(givenUrl));

async function embedded(): Promise<TestEventLog> {
  const dataDir = tempDir('event-store');
  let running: EventStoreServer | undefined = await startEventStoreServer({ dataDir, uniqueIds: true });
  const { url, port } = running;
  const stop = async () => {
    await running?.close();
    running = undefined;
  };
  return {
    url,
    connect: (options) => connectEventStore({ url, ...options }),
    server: () => {
      if (running === undefined) throw new Error('The server is not running.');
      return running;
    },
    dataDir: () => dataDir,
    stop,
    start: async () => void (running = await startEventStoreServer({ dataDir, port, uniqueIds: true })),
    close: stop,
  };
}

/** The server is shared: stream names get a prefix per log, which its users do not see. */
function onServer(url: string): TestEventLog {
  const prefix = `t${randomUUID().slice(0, 8)}.`;
  const upcast = createUpcast();
  return {
    url,
    connect: (options) =>
      prefixed(
        connectEventStore({
          url,
          upcast: (category, ...rest) => upcast(category.slice(prefix.length), ...rest),
          ...options,
        }),
        prefix,
      ),
    server: skip,
    dataDir: skip,
    stop: async () => skip(),
    start: async () => skip(),
    close: async () => undefined,
  };
}

function prefixed(store: EventStore, prefix: string): EventStore {
  const without = (event: RecordedEvent): RecordedEvent => ({
    ...event,
    stream: event.stream.slice(prefix.length),
    category: event.category.slice(prefix.length),
  });
  const withPrefix = (prefixes: readonly string[] = []): string[] =>
    (prefixes.length === 0 ? [''] : prefixes).map((each) => prefix + each);
  return {
    ...store,
    append: async (stream, expected, events) => {
      try {
        return await store.append(prefix + stream, expected, events);
      } catch (error) {
        throw error instanceof WrongExpectedRevision
          ? new WrongExpectedRevision(stream, error.actual)
          : error;
      }
    },
    readStream: (stream, options) => mapped(store.readStream(prefix + stream, options), without),
    readAll: (options) =>
      mapped(store.readAll({ ...options, prefixes: withPrefix(options?.prefixes) }), without),
    subscribe: (options) =>
      mappedSubscription(store.subscribe({ ...options, prefixes: withPrefix(options.prefixes) }), (message) =>
        message.kind === 'event' ? { ...message, event: without(message.event) } : message,
      ),
    head: async () => {
      const last = store.readAll({ direction: 'backwards', limit: 1, prefixes: [prefix] });
      for await (const { position } of last) return position;
      return undefined;
    },
    setStreamMetadata: (stream, metadata) => store.setStreamMetadata(prefix + stream, metadata),
  };
}

async function* mapped<T>(items: AsyncIterable<T>, map: (item: T) => T): AsyncGenerator<T, void, undefined> {
  for await (const item of items) yield map(item);
}

function mappedSubscription(
  subscription: Subscription,
  map: (message: SubscriptionMessage) => SubscriptionMessage,
): Subscription {
  const messages = mapped(subscription, map);
  return { [Symbol.asyncIterator]: () => messages, close: () => subscription.close() };
}

let currentTest: Mocha.Test | undefined;
const skipped: string[] = [];

/** Must be called before each test, so that it can be skipped from within. */
export const setCurrentTest = (test: Mocha.Test | undefined): void => void (currentTest = test);

/** The full names of the tests that were skipped because of `EVENTSTORE_URL`. */
export const skippedTests = (): readonly string[] => skipped;

/**
 * For tests that use fault switches of the embedded event store, stop it or need its whole log: skips them on any
 * other.
 */
export function needsEmbeddedStore(): void {
  if (givenUrl !== undefined) skip();
}

function skip(): never {
  if (currentTest?.ctx === undefined) throw new Error('Only a test can be skipped, and none is running.');
  skipped.push(currentTest.fullTitle());
  return currentTest.ctx.skip();
}
