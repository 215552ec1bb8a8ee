import { AbortError } from './errors.ts';
import type { Connection } from './connection.ts';
import { heartbeat, type SentEvent } from './event-stream.ts';
import type { Operation } from './operation.ts';
import type { Sent } from './request.ts';
import { backOff, broken } from './retry.ts';

/** Maximum consecutive reconnects without an event or a heartbeat, once the stream was open. */
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
      const lives = (): void => {
        silences = 0;
      };
      for await (const event of untilBroken(connection.events(response, limit), { lives, broke })) {
        lastEventId = event.id ?? lastEventId;
        yield event;
      }
      if (state.isWhole && (await isOver().catch(unknown(broke)))) return;
      await limit.wait(backOff(silences));
    } finally {
      limit.end();
    }
  }
}

interface Hears {
  /** Called for each event and each heartbeat: the connection has not failed at once. */
  readonly lives: () => void;
  /** May throw for a break. */
  readonly broke: (error: unknown) => void;
}

/** Yields until the stream ends or breaks. */
async function* untilBroken(
  events: AsyncIterable<SentEvent>,
  { lives, broke }: Hears,
): AsyncGenerator<SentEvent, void, undefined> {
  try {
    for await (const event of events) {
      const isComment = event.event === 'comment';
      if (!isComment || event.data.startsWith(heartbeat)) lives();
      if (!isComment) yield event;
    }
  } catch (error) {
    broke(error);
  }
}

/** Not over, as far as is known: during a restart nobody can be asked. */
const unknown =
  (broke: Hears['broke']) =>
  (error: unknown): false => {
    broke(error);
    return false;
  };
