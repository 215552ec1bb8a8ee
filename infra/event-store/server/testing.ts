import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent, type JSONEventData, type ResolvedEvent } from '@eventstore/db-client';
import { startEventStoreServer, type EventStoreServer, type EventStoreServerOptions } from './index.ts';

/** A server on its own directory, with a client. `close` removes both. */
export interface TestStore {
  readonly dataDir: string;
  readonly server: EventStoreServer;
  readonly client: EventStoreDBClient;
  close(): Promise<void>;
}

export const temporaryDirectory = (): string => mkdtempSync(join(tmpdir(), 'event-store-'));

export async function startTestStore(
  options: Pick<EventStoreServerOptions, 'uniqueIds'> = {},
): Promise<TestStore> {
  const dataDir = temporaryDirectory();
  const server = await startEventStoreServer({ dataDir, ...options });
  const client = EventStoreDBClient.connectionString(server.url);
  return {
    dataDir,
    server,
    client,
    close: async () => {
      await client.dispose();
      await server.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

export const happened = (n: number, type = 'Happened'): JSONEventData => jsonEvent({ type, data: { n } });

/** The `n` of each event. */
export function numbers(events: readonly ResolvedEvent[]): unknown[] {
  return events.map(({ event }) => {
    const data: unknown = event?.data;
    return typeof data === 'object' && data !== null && 'n' in data ? data.n : data;
  });
}

/** Reads to the end, or up to the limit. */
export async function collect<T>(source: AsyncIterable<T>, limit = Infinity): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) {
    all.push(item);
    if (all.length === limit) break;
  }
  return all;
}

/** The error with which an operation rejects. */
export async function failure(operation: Promise<unknown>): Promise<unknown> {
  try {
    await operation;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}
