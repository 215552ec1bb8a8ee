import type { Logger } from 'pino';
import { waitBackOff } from '../../platform/back-off.ts';
import type { Connection } from './connection.ts';
import { decodeEvent, type Upcast } from './decoding.ts';
import { canPass, reconnecting } from './failures.ts';
import { openMessages } from './messages.ts';
import { isAfter } from './position.ts';
import type { ReadAll } from './reading.ts';
import type { ReadMessage } from './read-response.ts';
import { subscribeRequest, type LogFilter } from './requests.ts';
import {
  EventStoreUnavailable,
  type Position,
  type SubscribeOptions,
  type Subscription,
  type SubscriptionMessage,
} from './types.ts';

export interface SubscribeParts {
  readonly connection: Connection;
  readonly readAll: ReadAll;
  readonly head: () => Promise<Position | undefined>;
  readonly upcast: Upcast;
  readonly logger: Logger;
  /** Idle time after which the log is checked for missed events; after twice as long the call is replaced. */
  readonly stallMs: number;
}

/** The call ended or was aborted although the request was valid: it is resumed. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * A subscription across calls. It resumes from the last message handed to the consumer, never from a position of the server or a
 * buffer ahead of it. Repeated events after a reconnect are skipped.
 */
export function subscribe(parts: SubscribeParts, options: SubscribeOptions): Subscription {
  const closed = new AbortController();
  const messages = deliver(parts, options, closed.signal);
  return {
    [Symbol.asyncIterator]: () => messages,
    close: async () => {
      closed.abort();
      await messages.return();
    },
  };
}

async function* deliver(
  parts: SubscribeParts,
  { from, asStored: _, ...filter }: SubscribeOptions,
  closed: AbortSignal,
): AsyncGenerator<SubscriptionMessage, void, undefined> {
  let place: Position | 'start' | undefined = from === 'end' ? undefined : from;
  const isClosed = (): boolean => closed.aborted;
  for (let tries = 0; !isClosed(); tries += 1) {
    try {
      // The end must be resolved before the first call, or events appended between two calls would be missed.
      place ??= (await parts.head()) ?? 'start';
      for await (const message of listen(parts, place, filter, closed)) {
        tries = 0;
        if (isRepeated(message, place)) continue;
        place = placeOf(message) ?? place;
        yield message;
      }
    } catch (error) {
      if (isClosed()) return;
      if (!canResume(error)) throw error;
      parts.logger.warn(
        { err: error, place: describe(place), tries },
        'A subscription was interrupted; resuming.',
      );
    }
    await waitBackOff(reconnecting, tries, { signal: closed }).catch(() => {});
  }
}

/** One subscription call, with a stall timeout. */
async function* listen(
  parts: SubscribeParts,
  place: Position | 'start',
  filter: LogFilter,
  closed: AbortSignal,
): AsyncGenerator<SubscriptionMessage, void, undefined> {
  const { connection, readAll, upcast, stallMs } = parts;
  const request = subscribeRequest(place, filter);
  const messages = await openMessages(connection.current(), request, stallMs, 'subscription');
  const stop = () => messages.cancel();
  closed.addEventListener('abort', stop);
  let reached = place;
  let due: Position | undefined;
  try {
    for (;;) {
      const arrived = messages.take();
      if (arrived.length > 0) {
        connection.answered();
        for (const delivered of arrived.flatMap((message) => decodeMessage(message, upcast) ?? [])) {
          reached = placeOf(delivered) ?? reached;
          yield delivered;
        }
      } else if (closed.aborted) {
        return;
      } else if (messages.over) {
        throw new Interrupted('the call ended');
      } else if ((await messages.wait(stallMs)) === 'timeout') {
        if (due !== undefined && isBehind(reached, due)) {
          throw new Interrupted(`the event at ${describe(due)} is due and did not come for ${stallMs} ms`);
        }
        due = await nextAfter(readAll, reached, filter);
      }
    }
  } finally {
    closed.removeEventListener('abort', stop);
    messages.cancel();
  }
}

/** The message for a consumer; undefined for one that does not concern the log. */
function decodeMessage(message: ReadMessage, upcast: Upcast): SubscriptionMessage | undefined {
  switch (message.kind) {
    case 'event':
      // The store's own events are only log positions for consumers.
      return message.record.type.startsWith('$')
        ? { kind: 'checkpoint', position: message.record.position }
        : { kind: 'event', event: decodeEvent(message.record, upcast) };
    case 'checkpoint':
    case 'caught_up':
      return message;
    case 'other':
      return undefined;
  }
}

function placeOf(message: SubscriptionMessage): Position | undefined {
  switch (message.kind) {
    case 'event':
      return message.event.position;
    case 'checkpoint':
      return message.position;
    case 'caught_up':
      return undefined;
  }
}

function isRepeated(message: SubscriptionMessage, place: Position | 'start'): boolean {
  const reached = placeOf(message);
  return reached !== undefined && !isBehind(place, reached);
}

/** The first event that a subscription at `place` has not delivered. */
async function nextAfter(
  readAll: ReadAll,
  place: Position | 'start',
  filter: LogFilter,
): Promise<Position | undefined> {
  for await (const { position } of readAll({ from: place, ...filter, limit: 2 })) {
    if (isBehind(place, position)) return position;
  }
  return undefined;
}

const isBehind = (place: Position | 'start', position: Position): boolean =>
  place === 'start' || isAfter(position, place);

const canResume = (error: unknown): boolean =>
  error instanceof Interrupted || error instanceof EventStoreUnavailable || canPass(error);

const describe = (place: Position | 'start' | undefined): string =>
  typeof place === 'object' ? `${place.commit}/${place.prepare}` : (place ?? 'end');
