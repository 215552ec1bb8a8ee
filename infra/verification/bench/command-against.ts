import { randomUUID } from 'node:crypto';
import { EventStoreDBClient } from '@eventstore/db-client';
import { createRunner } from '../../../commands/engine/runner.ts';
import { sessionEvents, type SessionEvent } from '../../../contracts/events/session.ts';
import type { Decider } from '../../../domain/kit/decider.ts';
import { connectEventStore, type EventStore } from '../../event-store/client/index.ts';
import { benchContext, benchData, benchMetadata, inFlight } from './load.ts';
import { startStoreProcess } from './store-process.ts';
import type { RatioSubject } from './subject.ts';

export const concurrency = 16;
/** Events of a stream when a command comes to it. */
export const history = 10;
const streamsEach = 4;

/** A rule with nothing to it: every command adds one event of a real type, so that only the way there is measured. */
const counter: Decider<number, null, SessionEvent> = {
  category: sessionEvents,
  initialState: 0,
  decide: () => [{ type: 'OperationClaimed', data: benchData }],
  evolve: (count) => count + 1,
};

/** Does to a stream what our side does: reads its ten events, decides, appends one at the revision found. */
export interface Opponent {
  readonly name: string;
  readonly handle: (stream: string) => Promise<void>;
}

/**
 * A command through our runner against the same by other means, on the same event store process and the same client.
 * Streams keep their last ten events, so that every read is of ten; each worker of each side has streams of its own.
 */
export const commandAgainst = (
  variant: Pick<RatioSubject, 'id' | 'title' | 'pass' | 'stretch' | 'long'>,
  cacheEntries: number,
  opponentOn: (client: EventStoreDBClient) => Opponent | Promise<Opponent>,
): RatioSubject => ({
  kind: 'ratio',
  ...variant,
  operations: 600,
  prepare: async ({ directory, logger }) => {
    const server = await startStoreProcess(directory);
    const store = connectEventStore({ url: server.url, logger });
    const client = EventStoreDBClient.connectionString(server.url);
    const runner = createRunner({ store, logger, cacheEntries });
    const opponent = await opponentOn(client);
    const [ours, theirs] = [await seedStreams(store), await seedStreams(store)];
    return {
      ours: {
        name: 'runner.run',
        run: (operations) =>
          inFlight(operations, concurrency, async (index, worker) => {
            await runner.run(counter, uuidAt(ours, index, worker), null, benchContext());
          }),
      },
      raw: {
        name: opponent.name,
        run: (operations) =>
          inFlight(operations, concurrency, (index, worker) =>
            opponent.handle(streamOf(uuidAt(theirs, index, worker))),
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

/** The event that a command adds. Its id is one of the client's own making for whoever brings none. */
export const decided = () => ({ type: 'OperationClaimed', data: benchData, metadata: benchMetadata });

const streamOf = (uuid: string): string => `${sessionEvents.name}-${uuid}`;

/** Uuids of streams that hold ten events and never more. */
async function seedStreams(store: EventStore): Promise<readonly string[]> {
  const uuids = Array.from({ length: concurrency * streamsEach }, () => randomUUID());
  for (const uuid of uuids) {
    await store.setStreamMetadata(streamOf(uuid), { maxCount: history });
    const events = Array.from({ length: history }, () => ({ id: randomUUID(), ...decided() }));
    await store.append(streamOf(uuid), 'no_stream', events);
  }
  return uuids;
}

const uuidAt = (uuids: readonly string[], index: number, worker: number): string =>
  uuids[worker * streamsEach + (index % streamsEach)] ?? '';
