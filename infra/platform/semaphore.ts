/** Waiters resumed in one turn of the event loop. */
const atOnce = 8;

/**
 * FIFO counting semaphore. Permits that are released together, such as by the answers to one commit, are granted over several
 * turns of the event loop, so that this process and the ones it calls work concurrently instead of in alternation.
 */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #isScheduled = false;

  constructor(count: number) {
    this.#free = count;
  }

  /** Number of requests ahead of a new one; undefined if it would not wait. */
  get queue(): number | undefined {
    return this.#free > 0 && this.#waiting.length === 0 ? undefined : this.#waiting.length;
  }

  async acquire(): Promise<void> {
    if (this.#free > 0 && this.#waiting.length === 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Does the work with a permit, which is released when it has ended, however it ends. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  release(): void {
    this.#free += 1;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#free === 0 || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const count = Math.min(atOnce, this.#free);
      this.#free -= count;
      const next = this.#waiting.splice(0, count);
      this.#free += count - next.length;
      next.forEach((resolve) => resolve());
      this.#schedule();
    });
  }
}
