/** Keys whose last permit is remembered, the most recent ones. A forgotten key counts as one that never had a permit. */
const mostRemembered = 10_000;

/**
 * Counting semaphore with fair sharing between keys, FIFO within one:
 * - a permit is never unused while a request waits;
 * - the waiting key whose last permit was granted longest ago is next, one that never had any before all others, and of several such the
 *   one with the fewest requests: between two permits of a waiting key, any other key gets one at most;
 * - requests without a key are granted when no others wait.
 */
export class FairSemaphore {
  /** Requests by key, without keys that have none. */
  readonly #waiting = new Map<string | undefined, Set<() => void>>();
  /** Number of each key's last permit, counted from 1; the oldest is first. */
  readonly #granted = new Map<string | undefined, number>();
  #free: number;
  #grants = 0;

  constructor(count: number) {
    this.#free = count;
  }

  /** Number of the key's waiting requests. */
  waiting(key: string | undefined): number {
    return this.#waiting.get(key)?.size ?? 0;
  }

  /** Rejects with the signal's reason if it aborts before a permit is granted. */
  async acquire(key: string | undefined, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    let withdraw: () => void = () => undefined;
    const isGranted = await new Promise<boolean>((resolve) => {
      const grant = () => resolve(true);
      withdraw = () => {
        if (this.#remove(key, grant)) resolve(false);
      };
      signal?.addEventListener('abort', withdraw);
      this.#waiting.set(key, (this.#waiting.get(key) ?? new Set()).add(grant));
      this.#grant();
    });
    signal?.removeEventListener('abort', withdraw);
    if (!isGranted) signal?.throwIfAborted();
  }

  /** Does the work with a permit of the key, which is released when it has ended, however it ends. */
  async hold<T>(key: string | undefined, work: () => Promise<T>): Promise<T> {
    await this.acquire(key);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  release(): void {
    this.#free += 1;
    this.#grant();
  }

  #remove(key: string | undefined, grant: () => void): boolean {
    const waiting = this.#waiting.get(key);
    const isRemoved = waiting?.delete(grant) === true;
    if (waiting?.size === 0) this.#waiting.delete(key);
    return isRemoved;
  }

  #grant(): void {
    const [key, waiting] = (this.#free > 0 && this.#next()) || [];
    const [grant] = waiting ?? [];
    if (!grant) return;
    this.#free -= 1;
    this.#remove(key, grant);
    this.#remember(key);
    grant();
    this.#grant();
  }

  #next(): [string | undefined, Set<() => void>] | undefined {
    const [first] = [...this.#waiting].sort(
      ([one, a], [other, b]) =>
        Number(one === undefined) - Number(other === undefined) ||
        (this.#granted.get(one) ?? 0) - (this.#granted.get(other) ?? 0) ||
        a.size - b.size,
    );
    return first;
  }

  #remember(key: string | undefined): void {
    this.#grants += 1;
    this.#granted.delete(key);
    this.#granted.set(key, this.#grants);
    const [oldest] = this.#granted.keys();
    if (this.#granted.size > mostRemembered) this.#granted.delete(oldest);
  }
}
