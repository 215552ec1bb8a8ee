import { setTimeout as delay } from 'node:timers/promises';
import type { handleClientStreamingCall, handleUnaryCall } from '@grpc/grpc-js';
import type { CommitGroup, WriteResult } from './commit-group.ts';
import type { ExpectedRevision } from './expected-revision.ts';
import { take, type Faults } from './faults.ts';
import {
  appendTooLarge,
  invalidArgument,
  MAX_APPEND_BYTES,
  notLeader,
  streamDeleted,
  toRpcError,
  wrongExpectedVersion,
} from './grpc-errors.ts';
import type { LogWriter } from './log-writer.ts';
import type { ProposedEvent } from './record.ts';
import { appendSize, proposedEvent, writeTarget, type WriteTarget } from './requests.ts';
import {
  shared,
  streams,
  type AppendReq,
  type AppendResp,
  type DeleteReq,
  type DeleteResp,
  type TombstoneReq,
  type TombstoneResp,
} from '../protobuf/vendor.ts';

/** The server's ports for writing. */
export interface WriteContext {
  readonly writer: Pick<LogWriter, 'write'>;
  readonly faults: Faults;
  /** The address of this server, as its own leader. */
  readonly endpoint: { readonly host: string; readonly port: number };
}

/**
 * Appends, with injected faults.
 *
 * @returns `unanswered` if a fault drops the answer
 * @throws RpcError if a fault says so
 */
export async function appendWith(
  { writer, faults, endpoint }: WriteContext,
  { stream, expected }: WriteTarget,
  events: readonly ProposedEvent[],
): Promise<WriteResult | 'unanswered'> {
  if (faults.appendDelayMs > 0) await delay(faults.appendDelayMs);
  if (take(faults, 'notLeader')) throw notLeader(endpoint.host, endpoint.port);
  if (take(faults, 'wrongExpectedVersion')) return { kind: 'wrong-revision', revision: 0 };
  if (take(faults, 'dropBeforeCommit')) return 'unanswered';
  if (events.some(({ type }) => type === faults.dropType)) return 'unanswered';
  const unanswered = take(faults, 'dropAfterCommit');
  const result = await writer.write((group) => group.append(stream, expected, events));
  return unanswered ? 'unanswered' : result;
}

/** Serves `Streams.Append`: one append per call, its options first and then one message for each event. */
export const append =
  (context: WriteContext): handleClientStreamingCall<AppendReq, AppendResp> =>
  async (call, reply) => {
    try {
      const { target, events } = await receive(call);
      const result = await appendWith(context, target, events);
      if (result !== 'unanswered') reply(null, response(target, result));
    } catch (error) {
      reply(toRpcError(error));
    }
  };

async function receive(
  messages: AsyncIterable<AppendReq>,
): Promise<{ target: WriteTarget; events: ProposedEvent[] }> {
  let target: WriteTarget | undefined;
  let size = 0;
  const events: ProposedEvent[] = [];
  for await (const message of messages) {
    const proposed = message.getProposedMessage();
    if (proposed) {
      const event = proposedEvent(proposed);
      size += appendSize(event);
      if (size > MAX_APPEND_BYTES) throw appendTooLarge();
      events.push(event);
    } else target = writeTarget(message.getOptions());
  }
  if (!target) throw invalidArgument('The request has no options.');
  return { target, events };
}

function response({ stream, expected }: WriteTarget, result: WriteResult): AppendResp {
  switch (result.kind) {
    case 'written':
      return new streams.AppendResp().setSuccess(success(result.revision, result.position));
    case 'wrong-revision':
      return new streams.AppendResp().setWrongExpectedVersion(wrongVersion(expected, result.revision));
    case 'deleted':
      throw streamDeleted(stream);
  }
}

function success(revision: number, position: number): AppendResp.Success {
  const at = new streams.AppendResp.Position();
  at.setCommitPosition(String(position)).setPreparePosition(String(position));
  const message = new streams.AppendResp.Success().setPosition(at);
  return revision < 0
    ? message.setNoStream(new shared.Empty())
    : message.setCurrentRevision(String(revision));
}

function wrongVersion(expected: ExpectedRevision, actual: number): AppendResp.WrongExpectedVersion {
  const message = new streams.AppendResp.WrongExpectedVersion();
  if (actual < 0) message.setCurrentNoStream(new shared.Empty());
  else message.setCurrentRevision(String(actual));
  if (expected === 'any') return message.setExpectedAny(new shared.Empty());
  if (expected === 'no_stream') return message.setExpectedNoStream(new shared.Empty());
  if (expected === 'stream_exists') return message.setExpectedStreamExists(new shared.Empty());
  return message.setExpectedRevision(String(expected));
}

/** Serves `Streams.Delete`. */
export const softDelete = (context: WriteContext): handleUnaryCall<DeleteReq, DeleteResp> =>
  unary(async (request) => {
    const at = await remove(context, request, 'delete');
    const position = new streams.DeleteResp.Position().setCommitPosition(at).setPreparePosition(at);
    return new streams.DeleteResp().setPosition(position);
  });

/** Serves `Streams.Tombstone`. */
export const tombstone = (context: WriteContext): handleUnaryCall<TombstoneReq, TombstoneResp> =>
  unary(async (request) => {
    const at = await remove(context, request, 'tombstone');
    const position = new streams.TombstoneResp.Position().setCommitPosition(at).setPreparePosition(at);
    return new streams.TombstoneResp().setPosition(position);
  });

const unary =
  <Request, Response>(answer: (request: Request) => Promise<Response>): handleUnaryCall<Request, Response> =>
  ({ request }, reply) =>
    void answer(request).then(
      (message) => reply(null, message),
      (error: unknown) => reply(toRpcError(error)),
    );

/** Deletes, softly or with a tombstone. Returns the position of the delete. */
async function remove(
  { writer }: WriteContext,
  request: DeleteReq | TombstoneReq,
  how: Extract<keyof CommitGroup, 'delete' | 'tombstone'>,
): Promise<string> {
  const { stream, expected } = writeTarget(request.getOptions());
  const result = await writer.write((group) => group[how](stream, expected, crypto.randomUUID()));
  switch (result.kind) {
    case 'written':
      return String(result.position);
    case 'wrong-revision':
      throw wrongExpectedVersion(stream, expected, result.revision);
    case 'deleted':
      throw streamDeleted(stream);
  }
}
