import type { Logger } from 'pino';
import { Refusal } from '../../contracts/problems.ts';
import type { Keyset } from '../engine/cursors.ts';
import { EventStream, type EventStreamOptions } from '../engine/event-streams.ts';

/** Consecutive events of a feed. */
export interface FeedPage {
  /** The events as they are sent; empty if there are none. */
  readonly frames: string;
  /** The place behind the last one. */
  readonly place: Keyset;
  readonly hasMore: boolean;
}

/** How the feed of an account is read. */
export interface FeedReading {
  /** Events behind this place are sent. */
  readonly after: Keyset;
  /** Repeats the authorisation; a refusal ends the stream. */
  readonly pageAfter: (place: Keyset) => Promise<FeedPage>;
}

interface ListenerOptions extends EventStreamOptions, FeedReading {
  readonly logger: Logger;
}

/** Never buffered: a page is read only when the client has read the one before it. */
const longestBacklog = 1024 * 1024;

/**
 * The body of one stream of a feed. It reads the same pages as clients that poll, in the order of the log: when the client starts
 * to read, when the hub says that there is more, and at each heartbeat. A client that reads nothing from one heartbeat to the next
 * is disconnected.
 */
export class Listener extends EventStream {
  readonly #options: ListenerOptions;
  #place: Keyset;
  /** There may be events behind the place. */
  #isDue = false;
  #isReading = false;
  #hasStarted = false;
  /** Whether the client has read since the last heartbeat. */
  #isRead = true;

  constructor(options: ListenerOptions) {
    super(options, longestBacklog);
    this.#options = options;
    this.#place = options.after;
  }

  /** Sends the events behind the last one, no faster than the client reads. */
  async pull(): Promise<void> {
    this.#isDue = true;
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#isBehind()) await this.#sendPage();
    } catch (error) {
      if (error instanceof Refusal) this.finish();
      // The place has not moved: the next heartbeat reads again.
      else this.#options.logger.warn({ err: error }, 'The feed of an account could not be read.');
    } finally {
      this.#isReading = false;
    }
  }

  override _read(): void {
    super._read();
    this.#isRead = true;
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    void this.pull();
  }

  protected override beat(): void {
    if (this.readableLength > 0 && !this.#isRead) {
      this.destroy();
      return;
    }
    this.#isRead = false;
    super.beat();
    void this.pull();
  }

  /** `pull` may be called while a page is being sent. */
  #isBehind(): boolean {
    return this.#isDue && !this.isOver;
  }

  async #sendPage(): Promise<void> {
    this.#isDue = false;
    const { frames, place, hasMore } = await this.#options.pageAfter(this.#place);
    this.#place = place;
    if (hasMore) this.#isDue = true;
    if (frames !== '') this.send(Buffer.from(frames));
    await this.drained();
  }
}
