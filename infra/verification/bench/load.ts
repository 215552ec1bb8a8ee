import { randomUUID } from 'node:crypto';
import type { CommandContext } from '../../../commands/engine/context.ts';
import type { EventMetadata } from '../../../contracts/events/metadata.ts';
import type { EventStore } from '../../event-store/client/index.ts';

/**
 * Runs `work` `operations` times, `concurrency` at a time. `worker` identifies operations that never run at the same
 * time.
 */
export async function inFlight(
  operations: number,
  concurrency: number,
  work: (index: number, worker: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const keepGoing = async (worker: number): Promise<void> => {
    while (next < operations) {
      next += 1;
      await work(next - 1, worker);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, worker) => keepGoing(worker)));
}

const at = '2026-01-05T12:00:00.000Z';

/** About 300 bytes with its metadata, the size of a usual event of a session. */
export const benchData = {
  sessionId: 'ses_0197f1a0-0000-7000-8000-000000000001',
  operation: 'navigate',
  dispatchId: '0197f1a0-0000-7000-8000-000000000007',
  epoch: 1,
  at,
} as const;

export const benchMetadata = {
  correlation_id: '0197f1a0-0000-7000-8000-000000000011',
  causation_id: '0197f1a0-0000-7000-8000-000000000012',
  actor: { kind: 'api_key', account_id: 'acc_0197f1a0-0000-7000-8000-000000000002' },
  occurred_at: at,
  schema_version: 1,
  request_id: 'req_0197f1a000007000800000000013',
} as const satisfies EventMetadata;

/** The command context, as of an API request. */
export const benchContext = (): CommandContext => ({
  commandId: randomUUID(),
  correlationId: benchMetadata.correlation_id,
  causationId: benchMetadata.causation_id,
  by: 'request:bench',
  actor: benchMetadata.actor,
  requestId: benchMetadata.request_id,
});

/** Appends one event to each of `operations` new streams, `concurrency` at a time. */
export const appendToNewStreams = (
  store: Pick<EventStore, 'append'>,
  operations: number,
  concurrency: number,
): Promise<void> =>
  inFlight(operations, concurrency, async () => {
    const id = randomUUID();
    const event = { id, type: 'Benched', data: benchData, metadata: benchMetadata };
    await store.append(`bench-${id}`, 'no_stream', [event]);
  });
