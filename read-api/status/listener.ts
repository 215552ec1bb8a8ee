import { Readable } from 'node:stream';
import { reconnectAfter, streamOpened } from '../../infra/http/index.ts';

/** A listener that has not read so many bytes when the next change comes is cut. */
const longestBacklog = 256 * 1024;

/** The body of one status stream. What it sends is shared with all others, so that one that reads takes next to no memory. */
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

  /** Not sent to one that has something to read: it says no more than that. */
  beat(bytes: Buffer): void {
    if (this.readableLength === 0) this.send(bytes);
  }

  /** Ends the stream after what was sent; or, when that is not being read, at once. */
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
