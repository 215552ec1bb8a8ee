import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServerWritableStream } from '@grpc/grpc-js';

/** A call whose answer is a stream of ready-made messages. */
export type OutgoingCall<Request> = ServerWritableStream<Request, readonly Buffer[]>;

/** Messages are written together up to this size. A stream holds up to 16 of these while its caller does not read. */
const BUNDLE_BYTES = 32 * 1024;

const GONE = new Error('The caller has gone.');

/** Aborts when the caller goes away. */
export function abandonment(call: OutgoingCall<unknown>): AbortSignal {
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
 * Writes to a caller no faster than it reads, so that what waits in memory is bounded: messages are put together until
 * there are enough for a write, or nothing more is at hand.
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

  /** Returns false when the caller must be waited for, with `flush`, before more is sent. */
  send(message: Buffer): boolean {
    this.#bundle.push(message);
    this.#size += message.length;
    return this.#size < BUNDLE_BYTES;
  }

  /**
   * Sends what was put together, and waits until the caller is ready for more. Where there is nothing to send, as in a
   * long search, it lets others have their turn.
   * @returns true if the caller was slow and had to be waited for
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
