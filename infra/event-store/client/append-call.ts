import { performance } from 'node:perf_hooks';
import {
  encodeAppend,
  refusalError,
  type AppendAnswer,
  type AppendOutcome,
  type AppendRequest,
} from './append-message.ts';
import { CallEnded } from './failures.ts';
import type { AppendStream } from './wire.ts';

interface Pending {
  readonly stream: string;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

/** Settles with the server's answer, or rejects when the call breaks: the outcome is then unknown. */
export type SendAppend = (request: AppendRequest) => Promise<AppendOutcome>;

export interface AppendCall {
  readonly send: SendAppend;
  /** Breaks the call unless it was opened or has answered any append since `sinceMs` (of `performance.now()`). */
  readonly cancelIfSilent: (sinceMs: number) => void;
}

/**
 * Pipelines appends over one long call; answers are matched by number. Appends of one turn of the event loop are one write.
 * Pending appends are kept per call: a broken call rejects only its own, and an answer to an unknown one is dropped.
 */
export function pipelineAppends(call: AppendStream, onBroken: () => void): AppendCall {
  const pending = new Map<number, Pending>();
  let sent = 0;
  let batch: Buffer[] = [];

  const broken = (reason: Error) => {
    onBroken();
    for (const { reject } of pending.values()) reject(reason);
    pending.clear();
  };
  const flush = () => {
    const messages = batch;
    batch = [];
    call.write(messages);
  };
  call.on('data', (answer: AppendAnswer) => {
    const append = pending.get(answer.number);
    if (append === undefined) return;
    pending.delete(answer.number);
    if (answer.refusal === undefined) append.resolve(answer);
    else append.reject(refusalError(answer.refusal, append.stream));
  });
  call.once('error', broken);
  call.once('end', () => {
    // The client would wait for an open half on close.
    call.end();
    broken(new CallEnded());
  });

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        sent += 1;
        pending.set(sent, { stream: request.stream, resolve, reject });
        if (batch.push(encodeAppend(request, sent)) === 1) setImmediate(flush);
      }),
    cancelIfSilent: canceller(call, onBroken),
  };
}

function canceller(call: AppendStream, onBroken: () => void): AppendCall['cancelIfSilent'] {
  let answeredAt = performance.now();
  call.on('data', () => (answeredAt = performance.now()));
  return (sinceMs) => {
    if (answeredAt >= sinceMs) return;
    onBroken();
    call.cancel();
  };
}
