import { Readable } from 'node:stream';
import { Refusal } from '../../contracts/problems.ts';
import { heartbeat, reconnectAfter, streamOpened } from '../../infra/http/index.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Step } from './steps.ts';

/** A listener that has not read so many bytes when the next entry comes is cut. */
const longestBacklog = 1024 * 1024;

export interface ListenerOptions {
  /** Entries after this index are sent; -1: all. */
  readonly after: number;
  /** How many entries there will ever be; null as long as there may be more. */
  readonly finalLength: number | null;
  /** Asked once it listens, and at each heartbeat: the same again. What it refuses ends the stream. */
  readonly recheck: () => Promise<number | null>;
  readonly heartbeatMs: number;
  readonly clock: Clock;
  /** Reads what there is, then has the listener told of what comes. Called once somebody reads. */
  readonly catchUp: (listener: Listener) => Promise<void>;
  readonly onClose: () => void;
}

/**
 * The body of one transcript stream. Steps come in the order of the agent session's stream; a step that comes again is passed
 * over. It ends by itself when the last entry that there will ever be was sent.
 */
export class Listener extends Readable {
  readonly #options: ListenerOptions;
  /** Of the last step, and the entries up to it. */
  #revision = -1n;
  #length = 0;
  #finalLength: number | null;
  #isTurnOpen = false;
  #isClosed = false;
  #isCatchingUp = false;
  #isOver = false;
  #beating: NodeJS.Timeout | undefined;
  #onRead: (() => void) | undefined;

  constructor(options: ListenerOptions) {
    super();
    this.#options = options;
    this.#finalLength = options.finalLength;
  }

  /** Whether nothing more is to be sent. */
  get isOver(): boolean {
    return this.#isOver || this.destroyed;
  }

  advance({ revision, entry, turn, closes }: Step): void {
    if (revision <= this.#revision || this.isOver) return;
    this.#revision = revision;
    if (turn !== null) this.#isTurnOpen = turn === 'begins';
    if (closes) this.#isClosed = true;
    if (entry !== null) {
      this.#length = entry.index + 1;
      if (entry.index > this.#options.after) this.#send(entry.frame);
    }
    // A turn that runs as the session closes adds one more entry, which says how far it came.
    if (this.#isClosed && !this.#isTurnOpen) this.#finalLength = this.#length;
    this.#endAfterLast();
  }

  /** Resolves once what was sent is being read. */
  async drained(): Promise<void> {
    if (this.readableLength < this.readableHighWaterMark || this.isOver) return;
    await new Promise<void>((resolve) => (this.#onRead = resolve));
  }

  /** Ends the stream after what was sent; or, when that is not being read, at once. */
  finish(): void {
    if (this.isOver) return;
    this.#isOver = true;
    clearInterval(this.#beating);
    this.#wake();
    if (this.readableLength >= this.readableHighWaterMark) this.destroy();
    else this.push(null);
  }

  override _read(): void {
    this.#wake();
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    this.push(`${streamOpened}${reconnectAfter(1000 + Math.floor(Math.random() * 2000))}`);
    this.#beating = setInterval(() => this.#beat(), this.#options.heartbeatMs);
    // What has ended since the stream was asked for may have passed already.
    void this.#look();
    this.#endAfterLast();
    // What fails here is no answer any more: the client connects again, and gets it then.
    this.#options
      .catchUp(this)
      .catch((error: unknown) => this.destroy(error instanceof Error ? error : undefined));
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

  #send(frame: Buffer): void {
    if (this.readableLength > longestBacklog) this.destroy();
    else this.push(frame);
  }

  #endAfterLast(): void {
    if (this.#finalLength !== null && this.#length >= this.#finalLength) this.finish();
  }

  #beat(): void {
    if (this.readableLength === 0) this.push(heartbeat(this.#options.clock.now()));
    void this.#look();
  }

  async #look(): Promise<void> {
    try {
      this.#finalLength ??= await this.#options.recheck();
      this.#endAfterLast();
    } catch (error) {
      // While it cannot be asked, what was known before stands.
      if (error instanceof Refusal) this.finish();
    }
  }
}
