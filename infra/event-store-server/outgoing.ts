import type { Writable } from 'node:stream';
import type { ServerWritableStream } from '@grpc/grpc-js';

/** A call whose answer is a stream of ready-made messages. */
export type OutgoingCall<Request> = ServerWritableStream<Request, Buffer>;

/** Aborts when the caller goes away. */
export function abandonment(call: OutgoingCall<unknown>): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  call.once('cancelled', abort).once('close', abort).once('error', abort);
  return controller.signal;
}

function drained(stream: Writable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.removeListener('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    stream.once('drain', done);
    signal.addEventListener('abort', done);
  });
}

/** Writes to a caller no faster than it reads, so that what waits in memory is bounded. */
export class Outgoing {
  readonly #call: OutgoingCall<unknown>;
  readonly signal: AbortSignal;

  constructor(call: OutgoingCall<unknown>) {
    this.#call = call;
    this.signal = abandonment(call);
  }

  /** Returns false when the caller must be waited for, with `ready`, before more is sent. */
  send(message: Buffer): boolean {
    return this.signal.aborted || this.#call.write(message);
  }

  async ready(): Promise<void> {
    if (!this.signal.aborted && this.#call.writableNeedDrain) await drained(this.#call, this.signal);
  }

  async sendWhenReady(message: Buffer): Promise<void> {
    if (!this.send(message)) await this.ready();
  }

  end(): void {
    if (!this.signal.aborted) this.#call.end();
  }

  fail(error: Error): void {
    if (!this.signal.aborted) this.#call.emit('error', error);
  }
}
