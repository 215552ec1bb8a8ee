/** Counts the bytes that are under way for each key, in this process. */
export class Volume<Key> {
  readonly #most: number;
  readonly #bytes = new Map<Key, number>();

  /** `most`: bytes of one key at the same time. */
  constructor(most: number) {
    this.#most = most;
  }

  /** False, and nothing is counted, where it would be more than may be under way. */
  take(key: Key, bytes: number): boolean {
    const sum = (this.#bytes.get(key) ?? 0) + bytes;
    if (sum > this.#most) return false;
    this.#bytes.set(key, sum);
    return true;
  }

  giveBack(key: Key, bytes: number): void {
    const left = (this.#bytes.get(key) ?? 0) - bytes;
    if (left > 0) this.#bytes.set(key, left);
    else this.#bytes.delete(key);
  }
}
