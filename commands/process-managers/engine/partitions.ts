/**
 * Work that is done one after the other within a lane, in the order it came, and beside the work of other lanes. Work that
 * fails closes its lane until `reopen`: what comes after it must not be done before it is done again.
 */
export class Partitions {
  #last = new Map<string, Promise<void>>();
  #waiting = 0;

  /** How many have come and not begun, because others of their lane have not ended. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The place in the lane is taken before this returns. Rejects with what closed the lane. */
  run(lane: string, work: () => Promise<void>): Promise<void> {
    const last = this.#last;
    const before = last.get(lane);
    const mine = before === undefined ? work() : this.#after(before, work);
    last.set(lane, mine);
    const leave = (): void => {
      if (last.get(lane) === mine) last.delete(lane);
    };
    mine.then(leave, () => undefined);
    return mine;
  }

  /** Forgets every lane; what is in one still waits there. */
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
