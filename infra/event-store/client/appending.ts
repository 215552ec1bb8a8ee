import { performance } from 'node:perf_hooks';
import type { Logger } from 'pino';
import type { AppendOutcome, AppendRequest } from './append-message.ts';
import { waitBackOff } from '../../platform/back-off.ts';
import { inSpan, type SpanStart } from '../../tracing/index.ts';
import type { Connection } from './connection.ts';
import { categoryOf } from './decoding.ts';
import { encodeEvents, type Encodable } from './encoding.ts';
import { canPass, NoAnswer, unavailable, answerWithin, reconnecting } from './failures.ts';
import type { ReadStream } from './reading.ts';
import { WrongExpectedRevision, type Appended, type ExpectedRevision } from './types.ts';

export interface AppendTimes {
  /** Time from the call to `EventStoreUnavailable`. */
  readonly deadlineMs: number;
  /** Timeout of one attempt, after which it is sent again. */
  readonly attemptMs: number;
}

export type Append = (
  stream: string,
  expected: ExpectedRevision,
  events: readonly Encodable[],
) => Promise<Appended>;

/**
 * Retries until the outcome is known. Every attempt has the same ids and expected revision, so that the server stores
 * the events once. A refusal after an attempt with an unknown outcome may mean that this attempt succeeded, so the
 * stream is checked.
 */
export function createAppend(
  connection: Connection,
  readStream: ReadStream,
  times: AppendTimes,
  logger: Logger,
): Append {
  const send: Append = async (stream, expected, events) => {
    const request: AppendRequest = { stream, expected, events: encodeEvents(events) };
    const deadline = performance.now() + times.deadlineMs;
    for (let tries = 0; ; tries += 1) {
      try {
        const ms = Math.min(deadline - performance.now(), times.attemptMs);
        // The time before the deadline may be too short for an answer.
        const tellsSilence = tries === 0 || ms === times.attemptMs;
        return await placed(await attempt(connection, request, { ms, tellsSilence }), request, readStream);
      } catch (error) {
        if (error instanceof WrongExpectedRevision) {
          const stored = tries > 0 ? await findStored(request, readStream) : undefined;
          if (stored === undefined) throw error;
          return stored;
        }
        if (!canPass(error)) throw error;
        await waitBackOff(reconnecting, tries, { leftMs: deadline - performance.now() });
        if (performance.now() >= deadline) throw unavailable(`append to ${stream}`, error);
        logger.warn({ err: error, stream, tries }, 'The outcome of an append is unknown; sending it again.');
      }
    }
  };
  return (stream, expected, events) =>
    inSpan(appendSpan(stream, events.length), () => send(stream, expected, events));
}

/** Named by category: a stream's name contains the id of a customer's resource. */
function appendSpan(stream: string, count: number): SpanStart {
  const category = categoryOf(stream);
  return {
    name: `append ${category}`,
    kind: 'client',
    attributes: {
      'db.system.name': 'eventstoredb',
      'db.operation.name': 'append',
      'db.collection.name': category,
      'db.operation.batch.size': count,
    },
  };
}

interface Attempt {
  readonly ms: number;
  /** Whether no answer in this time means that the server is silent. */
  readonly tellsSilence: boolean;
}

async function attempt(
  connection: Connection,
  request: AppendRequest,
  { ms, tellsSilence }: Attempt,
): Promise<AppendOutcome> {
  const link = connection.current();
  const sentAt = performance.now();
  try {
    const outcome = await answerWithin(link.append(request), ms, `append to ${request.stream}`);
    connection.answered();
    return outcome;
  } catch (error) {
    if (error instanceof NoAnswer && tellsSilence) {
      link.appendUnanswered(sentAt);
      connection.unanswered(link, sentAt);
    }
    throw error;
  }
}

async function placed(
  { revision, position }: AppendOutcome,
  { stream }: AppendRequest,
  readStream: ReadStream,
): Promise<Appended> {
  if (position !== undefined) return { revision, position };
  for await (const event of readStream(stream, { from: revision, limit: 1 })) {
    return { revision, position: event.position };
  }
  throw new Error(`${stream} has no event at revision ${revision}, where one was appended`);
}

/** The position of the request's events if an earlier attempt stored them; undefined if another writer's events are there. */
async function findStored(
  { stream, expected, events }: AppendRequest,
  readStream: ReadStream,
): Promise<Appended | undefined> {
  if (expected === 'any') return undefined;
  const from = expected === 'no_stream' ? 0n : expected + 1n;
  let found: Appended | undefined;
  let index = 0;
  for await (const { id, revision, position } of readStream(stream, { from, limit: events.length })) {
    if (id !== events[index]?.id) return undefined;
    found = { revision, position };
    index += 1;
  }
  return index === events.length ? found : undefined;
}
