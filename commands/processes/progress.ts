import type { Position, RecordedEvent } from '../../infra/event-store/types.ts';

interface Started {
  readonly position: Position;
  done: boolean;
}

/** Events whose reactions overlap, and the place in the log up to which every reaction has taken effect. */
export class Progress {
  readonly #started: Started[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #limit: number;
  #reached: Position | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The position of the last event that is done with every event before it; undefined before the first. */
  get reached(): Position | undefined {
    return this.#reached;
  }

  /** Starts `work` on the event as soon as fewer than the limit are running. Rejects when earlier work failed. */
  async start(event: RecordedEvent, work: (event: RecordedEvent) => Promise<void>): Promise<void> {
    const started = { position: event.position, done: false };
    this.#started.push(started);
    const running = work(event).then(() => {
      started.done = true;
      this.#advance();
      this.#running.delete(running);
    });
    this.#running.add(running);
    running.catch(() => undefined);
    if (this.#running.size >= this.#limit) await Promise.race(this.#running);
  }

  /** Resolves when nothing is running; rejects when any of it failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  #advance(): void {
    while (this.#started[0]?.done) this.#reached = this.#started.shift()?.position;
  }
}
