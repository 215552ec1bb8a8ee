import { encodeAppend, type AppendAnswer, type AppendRequest } from './append-message.ts';
import { outcomeOf, type AppendOutcome } from './append-outcome.ts';
import { LaneClosed } from './failures.ts';
import type { AppendCall } from './wire.ts';

export type { AppendRequest } from './append-message.ts';

export interface AppendLane {
  /** Settles with the server's answer, or rejects when the call breaks: the outcome is then unknown. */
  send(request: AppendRequest): Promise<AppendOutcome>;
}

interface Waiting {
  readonly stream: string;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * All appends over one long call, told apart by number. Those of one turn of the event loop go in one write. Who waits is
 * kept per call: a call that breaks rejects its own and nobody else's, and an answer nobody waits for any more is dropped.
 */
export function openAppendLane(call: AppendCall, onBroken: () => void): AppendLane {
  const waiting = new Map<number, Waiting>();
  let sent = 0;
  let bundle: Buffer[] = [];

  const broken = (reason: Error) => {
    onBroken();
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  };
  const flush = () => {
    const messages = bundle;
    bundle = [];
    call.write(messages);
  };
  call.on('data', (answer: AppendAnswer) => {
    const waiter = waiting.get(answer.number);
    if (waiter === undefined) return;
    waiting.delete(answer.number);
    const outcome = outcomeOf(answer, waiter.stream);
    if (outcome instanceof Error) waiter.reject(outcome);
    else waiter.resolve(outcome);
  });
  call.once('error', broken);
  call.once('end', () => {
    // Our half is still open; left so, the client would wait for it when it closes.
    call.end();
    broken(new LaneClosed());
  });

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        sent += 1;
        waiting.set(sent, { stream: request.stream, resolve, reject });
        if (bundle.push(encodeAppend(request, sent)) === 1) setImmediate(flush);
      }),
  };
}
