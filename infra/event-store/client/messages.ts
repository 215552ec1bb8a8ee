import type { ReadReq } from '../protobuf/vendor.ts';
import { answerWithin } from './failures.ts';
import type { ReadMessage } from './read-response.ts';
import { openRead, type Caller, type ReadCall } from './wire.ts';

/** The outcome of a wait for the next message. */
export type Waited = 'ready' | 'timeout';

/**
 * The messages of a read call, pulled by the consumer. Only messages that the call has ready are taken (grpc-js: 16),
 * so a slow consumer slows the server down instead of filling memory. They are taken together, because each wait costs
 * as much as decoding a message.
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

  /** The messages that have arrived, in order; empty if there are none yet or no more (see `over`). */
  take(): readonly ReadMessage[] {
    const taken: ReadMessage[] = [];
    for (let message = this.#read(); message !== null; message = this.#read()) taken.push(message);
    if (taken.length === 0 && this.#failure) throw this.#failure;
    return taken;
  }

  /** grpc-js types it as never null. */
  #read(): ReadMessage | null {
    return this.#call.read();
  }

  get over(): boolean {
    return this.#over;
  }

  /** Resolves when `take` may return messages, the call is over, or `ms` have passed. */
  wait(ms: number): Promise<Waited> {
    if (this.#over || this.#call.readableLength > 0) return Promise.resolve('ready');
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#wake = undefined;
        resolve('timeout');
      }, ms);
      this.#wake = () => {
        this.#wake = undefined;
        clearTimeout(timer);
        // The first message is signalled alone; those received with it are available in the next turn of the event loop.
        setImmediate(resolve, 'ready');
      };
    });
  }

  /**
   * Drains a call that is about to end. Cancelling it would raise an error, for which gRPC formats two stack traces: more
   * expensive than the read.
   */
  leave(): void {
    if (this.#over) return;
    this.#over = true;
    this.#call.removeAllListeners('readable');
    this.#call.resume();
  }

  /** Ends the call. Later messages of the server are dropped. */
  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    this.#wake?.();
    // Cancelling within the call's own callbacks can throw inside grpc-js (grpc-node#1464, #1652). Also destroyed, because a call
    // with unread messages never finishes, and the client's `dispose` waits for it.
    setImmediate(() => {
      this.#call.cancel();
      this.#call.destroy();
    });
  }
}

/** Starts a read or a subscription. Rejects after `ms`; a call that opens later is cancelled, since nobody would read it. */
export async function openMessages(
  caller: Caller,
  request: ReadReq,
  ms: number,
  what: string,
): Promise<Messages> {
  const opening = openRead(caller, request).then((call) => new Messages(call));
  try {
    return await answerWithin(opening, ms, what);
  } catch (error) {
    void opening.then(
      (late) => late.cancel(),
      () => undefined,
    );
    throw error;
  }
}
