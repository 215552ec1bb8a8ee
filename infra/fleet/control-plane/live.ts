import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  liveSchemas,
  type LiveInput,
  type LiveOperation,
  type LiveResult,
} from '../../../contracts/fleet/operations.ts';
import {
  DownloadOutcome,
  OperationOutcome,
  PutFileOutcome,
  nodeRoutes,
  outcomeHeader,
  type DispatchFailure,
} from '../../../contracts/fleet/protocol.ts';
import type { AccountId } from '../../../contracts/ids.ts';
import { uploadLimits, type UploadHandle } from '../../../contracts/resources/live.ts';
import { ByteLimiter } from '../../platform/byte-limiter.ts';
import { handedOn } from '../../platform/request.ts';
import { shape, shapesOf, type Shape } from '../shape.ts';
import type { Reach } from './node-call.ts';
import type { LiveAnswer, LiveCall, LiveDownload, LiveFleet, UploadCall } from './port.ts';

const operationOutcome = shape(OperationOutcome);
const putFileOutcome = shape(PutFileOutcome);
const downloadOutcome = shape(DownloadOutcome);
const results: { readonly [O in LiveOperation]: Shape<LiveResult<O>> } = shapesOf(liveSchemas, 'result');

/** Why an upload is refused that would exceed the account's limit of pending uploads. */
export const tooMuchAtOnce = `Concurrent uploads of an account may have at most ${uploadLimits.accountAtOnce / (1024 * 1024)} MiB together.`;

/** Milliseconds that an answer of a node may take beyond its own timeout. */
const onItsWayMs = 1_000;

/** The fleet as the live routes use it. */
export function createLiveCalls(reach: Reach): LiveFleet {
  const uploads = new ByteLimiter<AccountId>(uploadLimits.accountAtOnce);
  return {
    live: (call, operation, input) => live(reach, call, operation, input),
    putFile: async (call, content) => {
      if (!uploads.acquire(call.account, call.size)) {
        content.destroy();
        return { status: 'error', reason: tooMuchAtOnce };
      }
      try {
        return await putFile(reach, call, content);
      } finally {
        content.destroy();
        uploads.release(call.account, call.size);
      }
    },
    download: (call, name) => download(reach, call, name),
  };
}

async function live<O extends LiveOperation>(
  reach: Reach,
  call: LiveCall,
  operation: O,
  input: LiveInput<O>,
): Promise<LiveAnswer<LiveResult<O>>> {
  const { node, session, timeoutMs } = call;
  return answered(async (signal) => {
    const dispatch = { dispatch_id: randomUUID(), operation, input, timeout_ms: timeoutMs };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(dispatch);
    const reply = await reach(node, nodeRoutes.live, session, { headers, body, signal });
    const outcome: unknown = await reply.body.json();
    if (!operationOutcome.is(outcome)) throw new Error('The node gave no outcome.');
    if (outcome.outcome === 'failed') return failed(outcome.failure);
    const expected: Shape<LiveResult<O>> = results[operation];
    if (!expected.is(outcome.result)) throw new Error(`The node gave no result of ${operation}.`);
    return { status: 'ok', result: outcome.result };
  }, timeoutMs);
}

function putFile(
  reach: Reach,
  { node, session, timeoutMs, name, mime, size }: UploadCall,
  content: Readable,
): Promise<LiveAnswer<UploadHandle>> {
  return answered(async (signal) => {
    const reply = await reach(node, nodeRoutes.putFile, session, {
      query: { dispatch_id: randomUUID(), name, mime, size },
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
      body: content,
      signal,
    });
    const outcome: unknown = await reply.body.json();
    if (!putFileOutcome.is(outcome)) throw new Error('The node gave no outcome.');
    return outcome.outcome === 'failed' ? failed(outcome.failure) : { status: 'ok', result: outcome.result };
  }, timeoutMs);
}

function download(
  reach: Reach,
  { node, session, timeoutMs }: LiveCall,
  name: string,
): Promise<LiveAnswer<LiveDownload>> {
  return answered(async (signal) => {
    const query = { dispatch_id: randomUUID(), name, timeout_ms: timeoutMs };
    const reply = await reach(node, nodeRoutes.download, session, { query, body: null, signal });
    const outcome: unknown = JSON.parse(decodeURIComponent(String(reply.headers[outcomeHeader])));
    if (!downloadOutcome.is(outcome)) throw new Error('The node gave no outcome.');
    if (outcome.outcome === 'succeeded')
      return { status: 'ok', result: { ...outcome.result, content: handedOn(reply.body) } };
    await reply.body.dump();
    return failed(outcome.failure);
  }, timeoutMs);
}

/**
 * The answer or, if the node gave none in time, the refusal for the caller. A download is answered once its outcome is here: its content
 * takes as long as the client needs, whose connection ends when it reads nothing.
 */
async function answered<T>(
  ask: (signal: AbortSignal) => Promise<LiveAnswer<T>>,
  timeoutMs: number,
): Promise<LiveAnswer<T>> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs + onItsWayMs);
  try {
    return await ask(limit.signal);
  } catch {
    const isLate = limit.signal.aborted;
    // Nobody reads the rest of an answer without an outcome.
    limit.abort();
    return isLate
      ? { status: 'timeout', reason: 'The browser did not answer in time.' }
      : { status: 'unavailable', reason: 'The browser cannot be reached.' };
  } finally {
    clearTimeout(timer);
  }
}

const statuses: Readonly<Record<DispatchFailure['kind'], 'unavailable' | 'timeout' | 'error'>> = {
  page: 'error',
  unsupported: 'error',
  timeout: 'timeout',
  silent: 'timeout',
  unavailable: 'unavailable',
  driver: 'unavailable',
};

const failed = ({ kind, reason }: DispatchFailure) => ({ status: statuses[kind], reason });
