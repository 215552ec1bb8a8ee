import { performance } from 'node:perf_hooks';
import { waitBackOff } from '../../platform/back-off.ts';
import type { ReadReq } from '../protobuf/vendor.ts';
import type { Connection } from './connection.ts';
import { decodeEvent, type Upcast } from './decoding.ts';
import {
  canPass,
  exceptionOf,
  NoAnswer,
  reconnecting,
  StreamTombstoned,
  unavailable,
  answerWithin,
} from './failures.ts';
import { openMessages, type Messages } from './messages.ts';
import { isAfter } from './position.ts';
import { isFilter, readAllRequest, readStreamRequest } from './requests.ts';
import type { Position, ReadAllOptions, ReadStreamOptions, RecordedEvent } from './types.ts';

export interface ReadTimes {
  /** Timeout without a message, after which the read is resumed with a new call. */
  readonly silenceMs: number;
  /** Timeout without progress, after which a read throws `EventStoreUnavailable`. */
  readonly deadlineMs: number;
}

export type ReadStream = (stream: string, options?: ReadStreamOptions) => AsyncIterable<RecordedEvent>;
export type ReadAll = (options?: ReadAllOptions) => AsyncIterable<RecordedEvent>;

/** The request that starts a read, and the one that resumes it after its last event. */
interface Plan {
  readonly what: string;
  readonly limit: number | undefined;
  /** True if the server applies the limit and ends the call there. */
  readonly isLimitSent: boolean;
  /** True if the server may search for a long time, in silence, before it finds an event. */
  readonly searches: boolean;
  /** The request for `limit` more events, after the last delivered one; undefined if none can follow. */
  readonly request: (last: RecordedEvent | undefined, limit: number | undefined) => ReadReq | undefined;
  /** True if an event is to be delivered after `last`; false for a repeated or foreign one. */
  readonly wanted: (event: RecordedEvent, last: RecordedEvent | undefined) => boolean;
}

interface ReadParts {
  readonly connection: Connection;
  readonly upcast: Upcast;
  readonly times: ReadTimes;
}

export function createReads(parts: ReadParts) {
  const readStream: ReadStream = (stream, options = {}) => resuming(parts, streamPlan(stream, options));
  const readAll: ReadAll = (options = {}) => resuming(parts, logPlan(options));
  return { readStream, readAll, head: () => readHead(parts) };
}

/** Reads across broken calls: the reader gets each event once, in order, or an error that retries cannot help. */
async function* resuming(
  parts: ReadParts,
  { what, limit, isLimitSent, searches, request, wanted }: Plan,
): AsyncGenerator<RecordedEvent, void, undefined> {
  let last: RecordedEvent | undefined;
  let left = limit;
  let progressAt = performance.now();
  for (let tries = 0; left === undefined || left > 0; tries += 1) {
    const next = request(last, left);
    if (next === undefined) return;
    try {
      const endsSoon = isLimitSent && areFew(left);
      for await (const events of readOnce(parts, next, { what, endsSoon, searches })) {
        for (const event of events) {
          if (!wanted(event, last)) continue;
          yield event;
          last = event;
          tries = 0;
          if (left !== undefined) left -= 1;
          if (left === 0) return;
        }
        if (tries === 0) progressAt = performance.now();
      }
      return;
    } catch (error) {
      assertPasses(error, what, performance.now() - progressAt < parts.times.deadlineMs);
    }
    await waitBackOff(reconnecting, tries);
  }
}

/** Throws the reader's error, unless a retry may help and there is time for one. */
function assertPasses(error: unknown, what: string, inTime: boolean): void {
  if (exceptionOf(error) === 'stream-deleted') throw new StreamTombstoned(what);
  if (!canPass(error)) throw error;
  if (!inTime) throw unavailable(what, error);
}

async function readHead(parts: ReadParts): Promise<Position | undefined> {
  const request = readAllRequest({ from: 'end', direction: 'backwards', limit: 1, filter: {} });
  const what = 'read of the head';
  try {
    for await (const [last] of readOnce(parts, request, { what, endsSoon: true, searches: false })) {
      if (last !== undefined) return last.position;
    }
    return undefined;
  } catch (error) {
    throw unavailable(what, error);
  }
}

/**
 * Waits for the next messages until the silence timeout. After half of it, a store that answers another request is considered to
 * be still searching.
 */
async function isSilent(messages: Messages, parts: ReadParts, searches: boolean): Promise<boolean> {
  const { silenceMs } = parts.times;
  const waitMs = searches ? silenceMs / 2 : silenceMs;
  if ((await messages.wait(waitMs)) === 'ready') return false;
  if (!searches) return true;
  return answerWithin(readHead(parts), silenceMs - waitMs, 'read of the head').then(
    () => false,
    () => true,
  );
}

function streamPlan(stream: string, { from, direction = 'forwards', limit }: ReadStreamOptions): Plan {
  const forwards = direction === 'forwards';
  const first = from ?? (forwards ? 'start' : 'end');
  return {
    what: `read of ${stream}`,
    limit,
    isLimitSent: true,
    searches: false,
    request: (last, left) => {
      if (last === undefined) return readStreamRequest({ stream, from: first, direction, limit: left });
      if (!forwards && last.revision === 0n) return undefined;
      return readStreamRequest({
        stream,
        from: last.revision + (forwards ? 1n : -1n),
        direction,
        limit: left,
      });
    },
    wanted: ({ revision }, last) =>
      last === undefined || (forwards ? revision > last.revision : revision < last.revision),
  };
}

function logPlan({ from, direction = 'forwards', limit, ...filter }: ReadAllOptions): Plan {
  const filtered = isFilter(filter);
  const forwards = direction === 'forwards';
  const first = from ?? (forwards ? 'start' : 'end');
  return {
    what: 'read of the log',
    limit,
    isLimitSent: filtered,
    searches: filtered,
    // Unfiltered, the server would count its own events against the limit; forwards, it sends the last one again.
    request: (last, left) =>
      readAllRequest({
        from: last?.position ?? first,
        direction,
        limit: left === undefined || !filtered ? undefined : left + (last && forwards ? 1 : 0),
        filter,
      }),
    wanted: ({ type, position }, last) =>
      !type.startsWith('$') &&
      (last === undefined ||
        (forwards ? isAfter(position, last.position) : isAfter(last.position, position))),
  };
}

/** Remaining messages up to which an unwanted call is drained instead of cancelled. */
const areFew = (events = Infinity): boolean => events <= 64;

interface ReadOnce extends Pick<Plan, 'what' | 'searches'> {
  readonly endsSoon: boolean;
}

/**
 * One read call from its first to its last event, including the store's own events, as received: a few at a time, or none while
 * the store searches.
 */
async function* readOnce(
  parts: ReadParts,
  request: ReadReq,
  { what, searches, endsSoon }: ReadOnce,
): AsyncGenerator<readonly RecordedEvent[], void, undefined> {
  const { connection, upcast } = parts;
  const { silenceMs } = parts.times;
  const link = connection.current();
  let askedAt = performance.now();
  let messages: Messages | undefined;
  let isBroken = false;
  try {
    messages = await openMessages(link, request, silenceMs, what);
    for (;;) {
      const arrived = messages.take();
      if (arrived.length > 0) {
        connection.answered();
        yield arrived.flatMap((message) =>
          message.kind === 'event' ? [decodeEvent(message.record, upcast)] : [],
        );
      } else if (messages.over) {
        connection.answered();
        return;
      } else {
        askedAt = performance.now();
        if (await isSilent(messages, parts, searches)) throw new NoAnswer(what, silenceMs);
        yield [];
      }
    }
  } catch (error) {
    isBroken = true;
    if (error instanceof NoAnswer) connection.unanswered(link, askedAt);
    throw error;
  } finally {
    if (endsSoon && !isBroken) messages?.leave();
    else messages?.cancel();
  }
}
