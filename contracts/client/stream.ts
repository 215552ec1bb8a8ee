import { AbortError } from './errors.ts';
import type { Connection } from './connection.ts';
import type { SentEvent } from './event-stream.ts';
import type { Operation } from './operation.ts';
import type { Sent } from './request.ts';
import { backOff, broken } from './retry.ts';

/** How many times a stream that breaks is opened again without an event from it. */
const resumes = 5;

/**
 * The events of an endless stream, without its comments. One that breaks is opened again behind the last event; one that ends is, too,
 * unless `isOver` says that nothing more comes. Leaving the loop closes it.
 */
export async function* resumed(
  connection: Connection,
  operation: Operation,
  sent: Sent,
  isOver: () => Promise<boolean>,
): AsyncGenerator<SentEvent, void, undefined> {
  let { lastEventId } = sent;
  for (let silences = 1; ; silences += 1) {
    const limit = connection.limitOf(operation, sent);
    try {
      const from = { ...sent, lastEventId };
      const response = await connection.attempt(operation, from, limit, (each) => each, resumes);
      // Its time is that of the opening: it goes on for as long as it is read.
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

/** Ends when the stream does and, unless `broke` throws, where it breaks. */
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
