import { Readable } from 'node:stream';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import {
  heartbeat,
  heartbeatMs as usualHeartbeatMs,
  reconnectAfter,
  streamOpened,
} from '../../infra/http/index.ts';
import type { Clock } from '../../infra/platform/clock.ts';

/** Maximum concurrent streams of one kind of an account, over all processes. */
export const streamsPerAccount = 10;
/** `Retry-After` in seconds for a client with too many open streams. */
export const retryStreamSeconds = 30;

/** The refusal of a further stream of an account. `kind`: of streams, in the sentence. */
export const tooManyStreams = (kind: string): Refusal =>
  refuse('rate-limited', `An account may have ${streamsPerAccount} ${kind} streams open at once.`, {
    retry_after_seconds: retryStreamSeconds,
  });

export interface EventStreamOptions {
  readonly clock: Clock;
  /** Milliseconds between two heartbeats. */
  readonly heartbeatMs?: number | undefined;
  readonly onClose: () => void;
}

/**
 * The body of one stream of server-sent events. It starts, when first read or written, with a comment and the client's
 * reconnection time, and sends heartbeats. It buffers a bounded number of bytes: a client that lags further is disconnected, and
 * reconnects.
 */
export class EventStream extends Readable {
  readonly #options: EventStreamOptions;
  readonly #longestBacklog: number;
  #beating: NodeJS.Timeout | undefined;
  #isFinished = false;
  #onRead: (() => void) | undefined;

  /** `longestBacklog`: buffered bytes from which the client is disconnected at the next frame. */
  constructor(options: EventStreamOptions, longestBacklog: number) {
    super();
    this.#options = options;
    this.#longestBacklog = longestBacklog;
  }

  /** True once nothing more is sent. */
  get isOver(): boolean {
    return this.#isFinished || this.destroyed;
  }

  send(frame: Buffer): void {
    if (this.isOver) return;
    this.#begin();
    if (this.readableLength > this.#longestBacklog) this.destroy();
    else this.push(frame);
  }

  /** Resolves once the client reads what was sent. */
  async drained(): Promise<void> {
    if (this.readableLength < this.readableHighWaterMark || this.isOver) return;
    await new Promise<void>((resolve) => (this.#onRead = resolve));
  }

  /** Ends the stream after the sent bytes; at once if they are not being read. */
  finish(): void {
    if (this.isOver) return;
    this.#isFinished = true;
    clearInterval(this.#beating);
    if (this.readableLength >= this.readableHighWaterMark) this.destroy();
    else this.push(null);
    this.#wake();
  }

  override _read(): void {
    this.#begin();
    this.#wake();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearInterval(this.#beating);
    this.#wake();
    this.#options.onClose();
    callback(error);
  }

  #wake(): void {
    this.#onRead?.();
    this.#onRead = undefined;
  }

  #begin(): void {
    if (this.#beating !== undefined || this.isOver) return;
    this.#beating = setInterval(() => this.beat(), this.#options.heartbeatMs ?? usualHeartbeatMs);
    this.push(`${streamOpened}${reconnectAfter(1000 + Math.floor(Math.random() * 2000))}`);
  }

  /** Sends a heartbeat, unless other bytes are buffered. */
  protected beat(): void {
    if (this.readableLength === 0) this.push(heartbeat(this.#options.clock.now()));
  }
}

/** The open streams of this process, each with its subject. */
export class OpenStreams<Stream extends EventStream, For> {
  readonly #open = new Map<Stream, For>();
  #isEnded = false;

  get count(): number {
    return this.#open.size;
  }

  /** Opens a stream. Its `onClose` is called once, after it was closed. */
  open(what: For, make: (onClose: () => void) => Stream, onClose: () => void): Stream {
    const stream: Stream = make(() => {
      this.#open.delete(stream);
      onClose();
    });
    this.#open.set(stream, what);
    if (this.#isEnded) stream.finish();
    return stream;
  }

  /** Sends each stream the frame for its subject; nothing if that is undefined. */
  send(frameFor: (what: For) => Buffer | undefined): void {
    for (const [stream, what] of this.#open) {
      const frame = frameFor(what);
      if (frame !== undefined) stream.send(frame);
    }
  }

  /** Ends the streams whose subject matches. */
  finish(isOver: (what: For) => boolean): void {
    for (const [stream, what] of this.#open) if (isOver(what)) stream.finish();
  }

  /** Ends every stream; streams opened later end at once. */
  end(): void {
    this.#isEnded = true;
    this.finish(() => true);
  }

  /** Disconnects all clients, unless their streams have ended. */
  disconnect(): void {
    if (!this.#isEnded) for (const stream of this.#open.keys()) stream.destroy();
  }
}
