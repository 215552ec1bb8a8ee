import { AbortError } from './errors.ts';
import type { Connection } from './connection.ts';
import type { SentEvent } from './event-stream.ts';
import type { Operation } from './operation.ts';
import type { Sent } from './request.ts';
import { backOff, broken } from './retry.ts';

/** Maximum consecutive reconnects without an event or a heartbeat, once the stream was open. */
const resumes = 5;

/**
 * The events of an endless stream, without heartbeats. A broken stream is resumed after the last event, and so is one that ends,
 * unless `isOver` resolves to true, which gets the id of the last event. Leaving the loop closes it.
 */
export async function* resumed(
  connection: Connection,
  operation: Operation,
  sent: Sent,
  isOver: (lastEventId?: string) => Promise<boolean>,
): AsyncGenerator<SentEvent, void, undefined> {
  let { lastEventId } = sent;
  let retries: number | undefined;
  for (let silences = 1; ; silences += 1) {
    const limit = connection.limitOf(operation, sent);
    try {
      const from = { ...sent, lastEventId };
      const response = await connection.attempt(operation, from, limit, (each) => each, retries);
      retries = resumes;
      // The timeout covers only the opening.
      limit.disarm();
      try {
        for await (const event of connection.events(response, limit)) {
          silences = 0;
          if (event.event === 'heartbeat') continue;
          lastEventId = event.id ?? lastEventId;
          yield event;
        }
        if (await isOver(lastEventId)) return;
      } catch (error) {
        // Broken or, if nobody could be asked, not over as far as is known.
        if (error instanceof AbortError) throw error;
        if (silences > resumes) throw broken(error, response).error;
      }
      await limit.wait(backOff(silences));
    } finally {
      limit.end();
    }
  }
}
