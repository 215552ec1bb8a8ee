import { EventStoreDBClient, FORWARDS, START, type AllStreamResolvedEvent } from '@eventstore/db-client';
import type { EventMetadata } from '../../../../contracts/events/metadata.ts';
import { isSuspect } from './secrets.ts';
import type { LogEvent } from './types.ts';

export interface ReadLog {
  readonly log: readonly LogEvent[];
  /** Data and metadata, as JSON, of events that contain one of the stems. */
  readonly suspects: readonly string[];
}

/** The whole log without system events, read with the vendor's client, so that it is independent of our own. */
export async function readLog(url: string, stems: readonly string[]): Promise<ReadLog> {
  const client = EventStoreDBClient.connectionString(url);
  const log: LogEvent[] = [];
  const suspects: string[] = [];
  try {
    for await (const { event } of client.readAll({ direction: FORWARDS, fromPosition: START })) {
      if (event === undefined || event.streamId.startsWith('$')) continue;
      log.push(logEvent(event));
      const text = JSON.stringify([event.data, event.metadata]);
      if (isSuspect(text, stems)) suspects.push(text);
    }
  } finally {
    await client.dispose();
  }
  return { log, suspects };
}

function logEvent(event: NonNullable<AllStreamResolvedEvent['event']>): LogEvent {
  const { id, streamId, type, revision, position, created, data, metadata } = event;
  const known = metadata as Partial<EventMetadata>;
  const { request_id, correlation_id = '', causation_id = '', by } = known;
  return {
    id,
    stream: streamId,
    category: streamId.slice(0, streamId.indexOf('-')),
    type,
    revision: Number(revision),
    position: position.commit,
    created: created.getTime(),
    data: data as Readonly<Record<string, unknown>>,
    requestId: request_id ?? null,
    metadata: { correlation_id, causation_id, ...(by !== undefined && { by }) },
  };
}
