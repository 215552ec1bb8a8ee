import type { sendUnaryData, ServerReadableStream } from '@grpc/grpc-js';
import { appendSize, expectedRevision, proposedEvent, writableStream } from './append-request.ts';
import { appendWith, type AppendContext } from './appending.ts';
import type { WriteResult } from './commit-group.ts';
import type { ExpectedRevision } from './expected-revision.ts';
import {
  appendTooLarge,
  invalidArgument,
  MAX_APPEND_BYTES,
  streamDeleted,
  toRpcError,
} from './grpc-errors.ts';
import { shared, streams } from '../protobuf/vendor.ts';
import { streamNameOf } from './read-request.ts';
import type { ProposedEvent } from './record.ts';

type AppendReq = InstanceType<typeof streams.AppendReq>;
type AppendResp = InstanceType<typeof streams.AppendResp>;

interface AppendTarget {
  readonly stream: string;
  readonly expected: ExpectedRevision;
}

/** Serves `Streams.Append`: one append per call, its options first and then one message for each event. */
export async function serveAppend(
  context: AppendContext,
  call: ServerReadableStream<AppendReq, AppendResp>,
  reply: sendUnaryData<AppendResp>,
): Promise<void> {
  try {
    const { target, events } = await receive(call);
    const result = await appendWith(context, target.stream, target.expected, events);
    if (result !== 'unanswered') reply(null, response(target, result));
  } catch (error) {
    reply(toRpcError(error));
  }
}

async function receive(
  call: ServerReadableStream<AppendReq, AppendResp>,
): Promise<{ target: AppendTarget; events: ProposedEvent[] }> {
  let target: AppendTarget | undefined;
  let size = 0;
  const events: ProposedEvent[] = [];
  const messages: AsyncIterable<AppendReq> = call;
  for await (const message of messages) {
    const proposed = message.getProposedMessage();
    if (proposed) {
      const event = proposedEvent(proposed);
      size += appendSize(event);
      if (size > MAX_APPEND_BYTES) throw appendTooLarge();
      events.push(event);
    } else target = targetOf(message);
  }
  if (!target) throw invalidArgument('The request has no options.');
  return { target, events };
}

function targetOf(message: AppendReq): AppendTarget {
  const options = message.getOptions();
  if (!options) throw invalidArgument('The request has no options.');
  const revision = options.hasRevision() ? options.getRevision() : undefined;
  return {
    stream: writableStream(streamNameOf(options.getStreamIdentifier())),
    expected: expectedRevision(options, revision),
  };
}

function response(target: AppendTarget, result: WriteResult): AppendResp {
  switch (result.kind) {
    case 'written':
      return new streams.AppendResp().setSuccess(success(result.revision, result.position));
    case 'wrong-revision':
      return new streams.AppendResp().setWrongExpectedVersion(wrongVersion(target.expected, result.revision));
    case 'deleted':
      throw streamDeleted(target.stream);
  }
}

function success(revision: number, position: number): InstanceType<typeof streams.AppendResp.Success> {
  const place = new streams.AppendResp.Position();
  place.setCommitPosition(String(position)).setPreparePosition(String(position));
  const message = new streams.AppendResp.Success().setPosition(place);
  return revision < 0
    ? message.setNoStream(new shared.Empty())
    : message.setCurrentRevision(String(revision));
}

function wrongVersion(
  expected: ExpectedRevision,
  actual: number,
): InstanceType<typeof streams.AppendResp.WrongExpectedVersion> {
  const message = new streams.AppendResp.WrongExpectedVersion();
  if (actual < 0) message.setCurrentNoStream(new shared.Empty());
  else message.setCurrentRevision(String(actual));
  if (expected === 'any') return message.setExpectedAny(new shared.Empty());
  if (expected === 'no_stream') return message.setExpectedNoStream(new shared.Empty());
  if (expected === 'stream_exists') return message.setExpectedStreamExists(new shared.Empty());
  return message.setExpectedRevision(String(expected));
}
