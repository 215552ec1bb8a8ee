/** Waiters resumed in one turn of the event loop. */
const atOnce = 8;

/**
 * FIFO counting semaphore. Permits that are released together, as the answers to one commit are, are handed out over several
 * turns of the event loop, so that this process and those that it asks work at the same time instead of in alternation.
 */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #isScheduled = false;

  constructor(count: number) {
    this.#free = count;
  }

  /** How many would be before one that asks now; undefined when it would not wait. */
  get queue(): number | undefined {
    return this.#free > 0 && this.#waiting.length === 0 ? undefined : this.#waiting.length;
  }

  async acquire(): Promise<void> {
    if (this.#free > 0 && this.#waiting.length === 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
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
