import { AbortError } from './errors.ts';
import type { Connection } from './connection.ts';
import type { SentEvent } from './event-stream.ts';
import type { Operation } from './operation.ts';
import type { Sent } from './request.ts';
import { backOff, broken } from './retry.ts';

/** Maximum consecutive reconnects without an event, once the stream was open. */
const resumes = 5;

/**
 * The events of an endless stream, without comments. A broken stream is resumed after the last event, and so is one that ends,
 * unless `isOver` resolves to true. Leaving the loop closes it.
 */
export async function* resumed(
  connection: Connection,
  operation: Operation,
  sent: Sent,
  isOver: () => Promise<boolean>,
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
      const state = { isWhole: true };
      const broke = (error: unknown): void => {
        if (error instanceof AbortError) throw error;
        if (silences > resumes) throw broken(error, response).error;
        state.isWhole = false;
      };
      for await (const event of untilBroken(connection.events(response, limit), broke)) {
        silences = 0;
        lastEventId = event.id ?? lastEventId;
        yield event;
      }
      if (state.isWhole && (await isOver())) return;
      await limit.wait(backOff(silences));
    } finally {
      limit.end();
    }
  }
}

/** Yields until the stream ends or breaks; `broke` may throw for a break. */
async function* untilBroken(
  events: AsyncIterable<SentEvent>,
  broke: (error: unknown) => void,
): AsyncGenerator<SentEvent, void, undefined> {
  try {
    for await (const event of events) if (event.event !== 'comment') yield event;
  } catch (error) {
    broke(error);
  }
}
