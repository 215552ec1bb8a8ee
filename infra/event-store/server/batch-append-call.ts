import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { AppendOptions, BatchAppendMessage, Uuid } from './batch-append-message.ts';
import { batchFailure, batchResponse } from './batch-append-response.ts';
import { invalidArgument, MAX_APPEND_BYTES, RpcError, toRpcError } from './grpc-errors.ts';
import type { ProposedEvent } from './record.ts';
import { appendSize, checkedEvent, writableStream, type WriteTarget } from './requests.ts';
import { appendWith, type WriteContext } from './write-calls.ts';

/** An append whose messages are incomplete. */
interface Draft extends WriteTarget {
  readonly correlationId: Uuid;
  readonly events: ProposedEvent[];
  size: number;
}

/** Maximum running appends of one call, above which it is not read. */
const MAX_RUNNING = 1_024;

/** Answers are encoded bytes, several at a time. */
export type BatchAppendCall = ServerDuplexStream<BatchAppendMessage, readonly Buffer[]>;

/**
 * Serves `Streams.BatchAppend`: many appends over one long call, each identified by its correlation id and possibly split into
 * several messages. Answers are sent in the order of storage, those of one commit in one write.
 */
export function serveBatchAppend(context: WriteContext, call: BatchAppendCall): void {
  const drafts = new Map<string, Draft>();
  let running = 0;
  let ended = false;
  let answers: Buffer[] = [];
  const flush = (): void => {
    const bundle = answers;
    answers = [];
    // After an error the call has ended: a write then would destroy it before its status is sent, if another is under way.
    if (!call.cancelled && !call.writableEnded) call.write(bundle);
    if (ended && running === 0) call.end();
  };
  const answer = (response: Buffer | undefined): void => {
    if (response && answers.push(response) === 1) process.nextTick(flush);
  };
  const run = async (draft: Draft): Promise<void> => {
    if (++running === MAX_RUNNING) call.pause();
    await store(context, draft).then(answer, (error: unknown) => call.emit('error', toRpcError(error)));
    if (--running < MAX_RUNNING && call.isPaused()) call.resume();
    if (ended && running === 0 && answers.length === 0) call.end();
  };
  call.on('data', (message: BatchAppendMessage) => {
    const received = receive(drafts, message, Date.now() + context.faults.clockAheadMs);
    if (received && 'stream' in received) void run(received);
    else answer(received);
  });
  call.on('end', () => {
    ended = true;
    if (running === 0 && answers.length === 0) call.end();
  });
}

const noCorrelationId = invalidArgument('The request has no correlation id.');

/** Adds a message. Returns the append once it is complete, or the refusal of an invalid one. */
function receive(
  drafts: Map<string, Draft>,
  message: BatchAppendMessage,
  now: number,
): Draft | Buffer | undefined {
  const { correlationId, options } = message;
  if (!correlationId) return batchFailure(undefined, options?.stream, noCorrelationId);
  const key = correlationId.toString('latin1');
  const draft = drafts.get(key);
  drafts.delete(key);
  try {
    const taken = draft ?? (options && draftOf(correlationId, options));
    if (!taken) return undefined;
    for (const sent of message.events) add(taken, checkedEvent(sent));
    const objection = objectionTo(taken, options, now);
    if (objection) return batchFailure(correlationId, taken.stream, objection);
    if (message.isFinal) return taken;
    drafts.set(key, taken);
    return undefined;
  } catch (error) {
    return batchFailure(correlationId, options?.stream, toRpcError(error));
  }
}

function add(draft: Draft, event: ProposedEvent): void {
  draft.size += appendSize(event);
  draft.events.push(event);
}

function draftOf(correlationId: Uuid, { stream, expected }: AppendOptions): Draft {
  if (expected === undefined) throw invalidArgument('The request has no expected revision.');
  return { correlationId, stream: writableStream(stream), expected, events: [], size: 0 };
}

/** Refuses an append after its deadline. */
function objectionTo({ size }: Draft, options: AppendOptions | undefined, now: number) {
  const { deadline = Infinity } = options ?? {};
  if (deadline <= now) return 'timeout';
  return size > MAX_APPEND_BYTES ? 'too-large' : undefined;
}

/** A failure of one append is its answer; only "not the leader" ends the whole call. */
async function store(context: WriteContext, draft: Draft): Promise<Buffer | undefined> {
  try {
    const result = await appendWith(context, draft, draft.events);
    return result === 'unanswered' ? undefined : batchResponse(draft.correlationId, draft, result);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    return batchFailure(draft.correlationId, draft.stream, toRpcError(error));
  }
}
