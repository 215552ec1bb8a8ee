import { Readable } from 'node:stream';
import { reconnectAfter, streamOpened } from '../../infra/http/index.ts';

/** Buffered bytes from which a listener is disconnected at the next change. */
const longestBacklog = 256 * 1024;

/** The body of one status stream. Its buffers are shared with all others, so that a reading client costs almost no memory. */
export class StatusListener extends Readable {
  readonly #onClose: () => void;

  constructor(first: readonly Buffer[], onClose: () => void) {
    super();
    this.#onClose = onClose;
    this.push(`${streamOpened}${reconnectAfter(1000 + Math.floor(Math.random() * 2000))}`);
    for (const each of first) this.push(each);
  }

  send(bytes: Buffer): void {
    if (this.destroyed || this.readableEnded) return;
    if (this.readableLength > longestBacklog) this.destroy();
    else this.push(bytes);
  }

  /** A heartbeat; not sent while other bytes are buffered. */
  beat(bytes: Buffer): void {
    if (this.readableLength === 0) this.send(bytes);
  }

  /** Ends the stream after the sent bytes; at once if they are not being read. */
  finish(): void {
    if (this.readableLength >= this.readableHighWaterMark) this.destroy();
    else this.push(null);
  }

  override _read(): void {
    // Bytes come when something changes.
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#onClose();
    callback(error);
  }
}
