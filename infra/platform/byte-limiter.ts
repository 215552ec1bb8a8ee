/** Counts concurrent bytes per key, in this process. */
export class ByteLimiter<Key> {
  readonly #most: number;
  readonly #bytes = new Map<Key, number>();

  /** `most`: maximum concurrent bytes per key. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns false, without counting, if the limit would be exceeded. */
  acquire(key: Key, bytes: number): boolean {
    const sum = (this.#bytes.get(key) ?? 0) + bytes;
    if (sum > this.#most) return false;
    this.#bytes.set(key, sum);
    return true;
  }

  release(key: Key, bytes: number): void {
    const left = (this.#bytes.get(key) ?? 0) - bytes;
    if (left > 0) this.#bytes.set(key, left);
    else this.#bytes.delete(key);
  }
}
