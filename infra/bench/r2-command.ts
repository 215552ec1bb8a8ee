import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import type { CommandContext } from '../../commands/context.ts';
import { createRunner } from '../../commands/runner.ts';
import { sessionEvents, type SessionEvent } from '../../contracts/events/session.ts';
import type { Decider } from '../../domain/decider.ts';
import { connectEventStore, type EventStore } from '../event-store/index.ts';
import { benchData, benchMetadata, inFlight } from './load.ts';
import { startStoreProcess } from './store-process.ts';
import type { RatioSubject } from './subject.ts';

const concurrency = 16;
/** Events of a stream when a command comes to it, and what the raw side reads. */
const history = 10;
const streamsEach = 4;

/** A rule with nothing to it: every command adds one event of a real type, so that only the way there is measured. */
const counter: Decider<number, null, SessionEvent> = {
  category: sessionEvents,
  initialState: 0,
  decide: () => [{ type: 'OperationClaimed', data: benchData }],
  evolve: (count) => count + 1,
};

const context = (): CommandContext => ({
  commandId: randomUUID(),
  correlationId: benchMetadata.correlation_id,
  causationId: benchMetadata.causation_id,
  actor: benchMetadata.actor,
  requestId: benchMetadata.request_id,
});

/**
 * A command with nothing around it against what it comes down to: read ten events, append one at the revision found.
 * Streams keep their last ten events, so that every read is of ten; each worker of each side has streams of its own.
 */
const command = (
  variant: Pick<RatioSubject, 'id' | 'title' | 'pass' | 'stretch'>,
  cacheEntries: number,
): RatioSubject => ({
  kind: 'ratio',
  ...variant,
  operations: 600,
  prepare: async ({ directory, logger }) => {
    const server = await startStoreProcess(directory);
    const store = connectEventStore({ url: server.url, logger });
    const client = EventStoreDBClient.connectionString(server.url);
    const runner = createRunner({ store, logger, cacheEntries });
    const ours = await seedStreams(store);
    const raw = await seedStreams(store);
    return {
      ours: {
        name: 'runner.run',
        run: (operations) =>
          inFlight(operations, concurrency, async (index, worker) => {
            await runner.run(counter, streamOf(ours, index, worker), null, context());
          }),
      },
      raw: {
        name: 'readStream, then appendToStream',
        run: (operations) =>
          inFlight(operations, concurrency, (index, worker) =>
            readAndAppend(client, `session-${streamOf(raw, index, worker)}`),
          ),
      },
      close: async () => {
        await store.close();
        await client.dispose();
        await server.stop();
      },
    };
  },
});

async function readAndAppend(client: EventStoreDBClient, stream: string): Promise<void> {
  let expectedRevision = 0n;
  for await (const { event } of client.readStream(stream)) expectedRevision = event?.revision ?? 0n;
  const event = jsonEvent({
    id: randomUUID(),
    type: 'OperationClaimed',
    data: benchData,
    metadata: benchMetadata,
  });
  await client.appendToStream(stream, event, { expectedRevision });
}

/** Uuids of streams that hold ten events and never more. */
async function seedStreams(store: EventStore): Promise<readonly string[]> {
  const uuids = Array.from({ length: concurrency * streamsEach }, () => randomUUID());
  for (const uuid of uuids) {
    const stream = `session-${uuid}`;
    await store.setStreamMetadata(stream, { maxCount: history });
    await store.append(
      stream,
      'no_stream',
      Array.from({ length: history }, () => ({
        id: randomUUID(),
        type: 'OperationClaimed',
        data: benchData,
        metadata: benchMetadata,
      })),
    );
  }
  return uuids;
}

const streamOf = (uuids: readonly string[], index: number, worker: number): string =>
  uuids[worker * streamsEach + (index % streamsEach)] ?? '';

export const commandWithoutCache = command(
  {
    id: 'R2',
    title: `command, no cache / raw readStream(${history}) + appendToStream, ${concurrency} in flight`,
    pass: 0.85,
    stretch: 1,
  },
  0,
);

export const commandWithCache = command(
  {
    id: 'R2-cached',
    title: `command, cached state / raw readStream(${history}) + appendToStream, ${concurrency} in flight`,
    pass: 0.85,
    stretch: 3,
  },
  1_000,
);
