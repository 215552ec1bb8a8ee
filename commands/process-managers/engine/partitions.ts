/**
 * Runs work sequentially within a partition, in order of arrival, and concurrently across partitions. Work that fails closes
 * its partition until `reopen`: later work must not run before the failed work has been repeated.
 */
export class Partitions {
  #last = new Map<string, Promise<void>>();
  #waiting = 0;

  /** Number of queued tasks, waiting for earlier ones of their partition. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The order is fixed before this returns. Rejects with the error that closed the partition. */
  run(partition: string, work: () => Promise<void>): Promise<void> {
    const last = this.#last;
    const before = last.get(partition);
    const mine = before === undefined ? work() : this.#after(before, work);
    last.set(partition, mine);
    const leave = (): void => {
      if (last.get(partition) === mine) last.delete(partition);
    };
    mine.then(leave, () => undefined);
    return mine;
  }

  /** Opens all partitions; work already queued still waits for its predecessors. */
  reopen(): void {
    this.#last = new Map();
  }

  async #after(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    try {
      await before;
    } finally {
      this.#waiting -= 1;
    }
    await work();
  }
}
