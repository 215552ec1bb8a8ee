import { Refusal } from '../../contracts/problems.ts';
import { EventStream, type EventStreamOptions } from '../engine/event-streams.ts';
import type { Step } from './steps.ts';

/** Buffered bytes from which a listener is disconnected at the next entry. */
const longestBacklog = 1024 * 1024;

export interface ListenerOptions extends EventStreamOptions {
  /** Entries after this index are sent; -1: all. */
  readonly after: number;
  /** The final number of entries; null while more may follow. */
  readonly finalLength: number | null;
  /** Repeats the authorisation at the start and at each heartbeat; a refusal ends the stream. */
  readonly recheck: () => Promise<number | null>;
  /** Reads the recorded entries, then subscribes the listener. Called when the client starts to read. */
  readonly catchUp: (listener: Listener) => Promise<void>;
}

/**
 * The body of one transcript stream. Steps are sent in the order of the agent session's stream; a repeated step is skipped. It
 * ends after the final entry.
 */
export class Listener extends EventStream {
  readonly #options: ListenerOptions;
  /** Revision of the last step, and the number of entries up to it. */
  #revision = -1n;
  #length = 0;
  #finalLength: number | null;
  #isTurnOpen = false;
  #isClosed = false;
  #isCatchingUp = false;

  constructor(options: ListenerOptions) {
    super(options, longestBacklog);
    this.#options = options;
    this.#finalLength = options.finalLength;
  }

  advance({ revision, entry, turn, closes }: Step): void {
    if (revision <= this.#revision || this.isOver) return;
    this.#revision = revision;
    if (turn !== null) this.#isTurnOpen = turn === 'begins';
    if (closes) this.#isClosed = true;
    if (entry !== null) {
      this.#length = entry.index + 1;
      if (entry.index > this.#options.after) this.send(entry.frame);
    }
    // A turn that is running when the session closes adds one more entry, about its progress.
    if (this.#isClosed && !this.#isTurnOpen) this.#finalLength = this.#length;
    this.#endAfterLast();
  }

  override _read(): void {
    super._read();
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    // Access may have ended between the request and the subscription.
    void this.#look();
    this.#endAfterLast();
    // The reply has started, so an error ends the stream; the reconnecting client gets the problem.
    this.#options
      .catchUp(this)
      .catch((error: unknown) => this.destroy(error instanceof Error ? error : undefined));
  }

  #endAfterLast(): void {
    if (this.#finalLength !== null && this.#length >= this.#finalLength) this.finish();
  }

  protected override beat(): void {
    super.beat();
    void this.#look();
  }

  async #look(): Promise<void> {
    try {
      this.#finalLength ??= await this.#options.recheck();
      this.#endAfterLast();
    } catch (error) {
      // If the check is unavailable, the last result remains valid.
      if (error instanceof Refusal) this.finish();
    }
  }
}
