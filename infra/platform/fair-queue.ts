import { FairSemaphore } from './fair-semaphore.ts';

/** A queue with fair sharing between the keys that take values, as `FairSemaphore` grants permits. */
export class FairQueue<Value> {
  /** Has a permit for each value, and for those that were withdrawn. */
  readonly #permits = new FairSemaphore(0);
  readonly #values = new Set<Value>();

  get size(): number {
    return this.#values.size;
  }

  put(value: Value): void {
    this.#values.add(value);
    this.#permits.release();
  }

  /** Whether the value was still in the queue. */
  withdraw(value: Value): boolean {
    return this.#values.delete(value);
  }

  /** Returns the value that was put first. Rejects with the signal's reason when that is aborted before the key's turn. */
  async take(key: string, signal: AbortSignal): Promise<Value> {
    for (;;) {
      await this.#permits.acquire(key, signal);
      for (const value of this.#values) {
        this.#values.delete(value);
        return value;
      }
    }
  }

  /** Empties the queue. */
  drain(): readonly Value[] {
    const values = [...this.#values];
    this.#values.clear();
    return values;
  }
}
