interface Place {
  readonly stream: string;
  readonly revision: number;
}

/**
 * Where the events written lately are, by id: what makes an append with `any` safe to send again. Bounded, so its
 * memory does not grow with the store. The older half is forgotten as a whole: taking the oldest entry out of a map one
 * at a time gets slower with each one taken, because their places are kept until the map is rebuilt.
 */
export class RecentIds {
  readonly #half: number;
  #newer = new Map<string, Place>();
  #older = new Map<string, Place>();

  /** @param capacity at least half as many are remembered */
  constructor(capacity: number) {
    this.#half = Math.ceil(capacity / 2);
  }

  add(id: string, stream: string, revision: number): void {
    if (this.#newer.size >= this.#half) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(id, { stream, revision });
  }

  /** The event's revision, if it was written to this stream. */
  find(id: string, stream: string): number | undefined {
    const place = this.#newer.get(id) ?? this.#older.get(id);
    return place?.stream === stream ? place.revision : undefined;
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }
}
