import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServerWritableStream } from '@grpc/grpc-js';

/** A call with a stream of encoded messages as its answer. */
export type OutgoingCall<Request> = ServerWritableStream<Request, readonly Buffer[]>;

/** Messages are bundled up to this size. A stream buffers up to 16 bundles if its caller does not read. */
const BUNDLE_BYTES = 32 * 1024;

const GONE = new Error('The caller has gone.');

/** Aborted when the caller disconnects. */
function abandonment(call: OutgoingCall<unknown>): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => controller.abort(GONE);
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

/**
 * Writes no faster than the caller reads, so that memory is bounded: messages are bundled until there are enough for a write, or
 * no more are available.
 */
export class Outgoing {
  readonly #call: OutgoingCall<unknown>;
  #bundle: Buffer[] = [];
  #size = 0;
  readonly signal: AbortSignal;

  constructor(call: OutgoingCall<unknown>) {
    this.#call = call;
    this.signal = abandonment(call);
  }

  /** Returns false if `flush` must be awaited before more is sent. */
  send(message: Buffer): boolean {
    this.#bundle.push(message);
    this.#size += message.length;
    return this.#size < BUNDLE_BYTES;
  }

  /**
   * Sends the bundle, and waits until the caller is ready for more. With nothing to send, as in a long search, it yields to other
   * work.
   *
   * @returns true if the caller was slow
   */
  async flush(): Promise<boolean> {
    if (this.signal.aborted) return false;
    if (this.#bundle.length === 0) {
      await nextTurn();
      return false;
    }
    const ready = this.#write();
    if (!ready) await drained(this.#call, this.signal);
    return !ready;
  }

  /** Sends the buffered messages, then ends the call. */
  end(): void {
    if (this.signal.aborted) return;
    this.#write();
    this.#call.end();
  }

  /** Sends the buffered messages, then the error. */
  fail(error: Error): void {
    if (this.signal.aborted) return;
    this.#write();
    this.#call.emit('error', error);
  }

  #write(): boolean {
    const bundle = this.#bundle;
    this.#bundle = [];
    this.#size = 0;
    return bundle.length === 0 || this.#call.write(bundle);
  }
}
