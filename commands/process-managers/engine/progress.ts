import { isAfter } from '../../../infra/event-store/client/position.ts';
import type { Position, RecordedEvent } from '../../../infra/event-store/client/types.ts';

interface Started {
  position: Position;
  done: boolean;
}

export interface ProgressLimits {
  /** Maximum number of events at work. */
  readonly atWork: number;
  /** Number of started events not at work yet, because they wait in their partition. */
  readonly waiting: () => number;
}

/** Maximum waiting events per concurrent one: they cost only memory. */
const waitingForEach = 100;

/** Concurrent reactions, and the log position up to which all have taken effect. */
export class Progress {
  readonly #started: Started[] = [];
  readonly #limits: ProgressLimits;
  readonly #failures: unknown[] = [];
  #running = 0;
  #reached: Position | undefined;
  #oneEnded: () => void = () => undefined;

  constructor(limits: ProgressLimits) {
    this.#limits = limits;
  }

  /** The position up to which every event is done; undefined before the first. */
  get reached(): Position | undefined {
    return this.#reached;
  }

  /** Starts `work` on the event; resolves when there is room for another. Rejects when earlier work failed. */
  async start(event: RecordedEvent, work: (event: RecordedEvent) => Promise<void>): Promise<void> {
    const started = { position: event.position, done: false };
    this.#started.push(started);
    this.#running += 1;
    void this.#follow(started, work(event));
    while (this.#isFull()) await this.#next();
    this.#assertNoFailure();
  }

  /** Passes over foreign events up to the position. It counts as reached once all earlier events are done. */
  pass(position: Position): void {
    const last = this.#started.at(-1);
    if (last === undefined) this.#reach(position);
    else if (last.done) last.position = position;
    else this.#started.push({ position, done: true });
  }

  /** Resolves once nothing is running; rejects if any of it failed. */
  async settled(): Promise<void> {
    while (this.#running > 0) await this.#next();
    this.#assertNoFailure();
  }

  async #follow(started: Started, work: Promise<void>): Promise<void> {
    try {
      await work;
      started.done = true;
      this.#leaveDone();
    } catch (error) {
      this.#failures.push(error);
    } finally {
      this.#running -= 1;
      this.#oneEnded();
    }
  }

  /** All that are done at once: hundreds of thousands may have waited for the first, and to shift a long array copies it. */
  #leaveDone(): void {
    if (this.#started[0]?.done !== true) return;
    const running = this.#started.findIndex(({ done }) => !done);
    const done = this.#started.splice(0, running === -1 ? this.#started.length : running);
    for (const { position } of done) this.#reach(position);
  }

  /** A redelivery does not move it back. */
  #reach(position: Position): void {
    const isFurther = this.#reached === undefined || isAfter(position, this.#reached);
    if (isFurther) this.#reached = position;
  }

  #isFull(): boolean {
    const { atWork, waiting } = this.#limits;
    return this.#running - waiting() >= atWork || this.#running >= atWork * waitingForEach;
  }

  #next(): Promise<void> {
    return new Promise((resolve) => (this.#oneEnded = resolve));
  }

  #assertNoFailure(): void {
    if (this.#failures.length > 0) throw this.#failures[0];
  }
}
