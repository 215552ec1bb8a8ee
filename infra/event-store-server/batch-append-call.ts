import type { ServerDuplexStream } from '@grpc/grpc-js';
import { appendSize, expectedRevision, proposedEvent, writableStream } from './append-request.ts';
import { appendWith, type AppendContext } from './appending.ts';
import { batchFailure, batchResponse, type BatchAppendResp } from './batch-append-response.ts';
import type { ExpectedRevision } from './expected-revision.ts';
import { invalidArgument, MAX_APPEND_BYTES, RpcError, toRpcError } from './grpc-errors.ts';
import type { shared, streams } from './protocol.ts';
import { streamNameOf } from './read-request.ts';
import type { ProposedEvent } from './record.ts';

type BatchAppendReq = InstanceType<typeof streams.BatchAppendReq>;
type BatchOptions = InstanceType<typeof streams.BatchAppendReq.Options>;
type Uuid = InstanceType<typeof shared.UUID>;

/** An append whose messages are still coming in. */
interface Draft {
  readonly correlationId: Uuid;
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: ProposedEvent[];
  size: number;
}

/** Appends of one call that may be under way; while there are more, nothing further is read from it. */
const MAX_RUNNING = 1_024;

/**
 * Serves `Streams.BatchAppend`: many appends over one long call, each told apart by its correlation id and possibly cut
 * into several messages. Answers come in the order the appends are stored.
 */
export function serveBatchAppend(
  context: AppendContext,
  call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>,
): void {
  const drafts = new Map<string, Draft>();
  let running = 0;
  let ended = false;
  const answer = (response: BatchAppendResp | undefined): void => {
    if (response && !call.cancelled) call.write(response);
  };
  const run = async (draft: Draft): Promise<void> => {
    if (++running === MAX_RUNNING) call.pause();
    await store(context, draft).then(answer, (error: unknown) => call.emit('error', toRpcError(error)));
    if (--running < MAX_RUNNING && call.isPaused()) call.resume();
    if (ended && running === 0) call.end();
  };
  call.on('data', (request: BatchAppendReq) => {
    const received = receive(drafts, request, Date.now() + context.faults.clockAheadMs);
    if (received && 'stream' in received) void run(received);
    else answer(received);
  });
  call.on('end', () => {
    ended = true;
    if (running === 0) call.end();
  });
}

/** Takes one message in. Returns the append when it is whole, or the refusal of one that never will be. */
function receive(
  drafts: Map<string, Draft>,
  request: BatchAppendReq,
  now: number,
): Draft | BatchAppendResp | undefined {
  const correlationId = request.getCorrelationId();
  const key = correlationId?.getString() ?? '';
  const options = request.getOptions();
  try {
    if (!correlationId) throw invalidArgument('The request has no correlation id.');
    if (options && isLate(options, now)) return batchFailure(correlationId, nameIn(options), 'timeout');
    const draft = drafts.get(key) ?? (options && draftOf(correlationId, options));
    if (!draft) return undefined;
    addEvents(draft, request);
    if (draft.size > MAX_APPEND_BYTES) return forget(batchFailure(correlationId, draft.stream, 'too-large'));
    if (request.getIsFinal()) return forget(draft);
    drafts.set(key, draft);
    return undefined;
  } catch (error) {
    return forget(batchFailure(correlationId, nameIn(options), toRpcError(error)));
  }

  function forget<T>(outcome: T): T {
    drafts.delete(key);
    return outcome;
  }
}

const nameIn = (options: BatchOptions | undefined): string =>
  Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();

function addEvents(draft: Draft, request: BatchAppendReq): void {
  for (const message of request.getProposedMessagesList()) {
    const event = proposedEvent(message);
    draft.size += appendSize(event);
    draft.events.push(event);
  }
}

function draftOf(correlationId: Uuid, options: BatchOptions): Draft {
  const revision = options.hasStreamPosition() ? options.getStreamPosition() : undefined;
  const stream = writableStream(streamNameOf(options.getStreamIdentifier()));
  return { correlationId, stream, expected: expectedRevision(options, revision), events: [], size: 0 };
}

/** A deadline is a time of the caller's clock; one that has passed is refused without being tried. */
function isLate(options: BatchOptions, now: number): boolean {
  const deadline = options.getDeadline();
  return deadline !== undefined && deadline.getSeconds() * 1000 + deadline.getNanos() / 1e6 <= now;
}

/** A failure of one append is its answer; only "not the leader" ends the whole call. */
async function store(context: AppendContext, draft: Draft): Promise<BatchAppendResp | undefined> {
  try {
    const result = await appendWith(context, draft.stream, draft.expected, draft.events);
    return result === 'unanswered' ? undefined : batchResponse(draft.correlationId, draft, result);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    return batchFailure(draft.correlationId, draft.stream, toRpcError(error));
  }
}
