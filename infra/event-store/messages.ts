import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadCall } from './wire.ts';

/** What a wait for the next message came to. */
export type Waited = 'ready' | 'timeout';

/**
 * The messages of a read call, pulled one by one: nothing is taken from the call before the consumer asks for it, so a
 * slow consumer slows the server instead of filling memory. Draining what has arrived needs no promise per message.
 */
export class Messages {
  readonly #call: ReadCall;
  #wake: (() => void) | undefined;
  #over = false;
  #failure: Error | undefined;

  constructor(call: ReadCall) {
    this.#call = call;
    const wake = () => this.#wake?.();
    const over = (failure?: Error) => {
      this.#over = true;
      this.#failure ??= failure;
      wake();
    };
    call.on('readable', wake);
    call.on('end', () => over());
    call.on('close', () => over());
    call.on('error', over);
  }

  /** The next message that has arrived, or null when there is none yet or no more (see `over`). */
  take(): ReadResp | null {
    const message = this.#read();
    if (message === null && this.#failure) throw this.#failure;
    return message;
  }

  /** grpc-js types it as if there were always one. */
  #read(): ReadResp | null {
    return this.#call.read();
  }

  get over(): boolean {
    return this.#over;
  }

  /** Resolves when `take` may have something, the call is over, or `ms` have passed. */
  wait(ms: number): Promise<Waited> {
    if (this.#over || this.#call.readableLength > 0) return Promise.resolve('ready');
    return new Promise((resolve) => {
      const settle = (waited: Waited) => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve(waited);
      };
      const timer = setTimeout(settle, ms, 'timeout');
      this.#wake = () => settle('ready');
    });
  }

  /** Ends the call. What the server still sends is dropped. */
  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    this.#wake?.();
    // Cancelling within the call's own callbacks can throw inside grpc-js (grpc-node#1464, #1652).
    // Destroyed as well: a call with unread messages would never finish, and the client's `dispose` waits for that.
    setImmediate(() => {
      this.#call.cancel();
      this.#call.destroy();
    });
  }
}
