interface Place {
  readonly stream: string;
  readonly revision: number;
}

/**
 * Positions of recent events, by id, which make a repeated append with `any` idempotent. Bounded. The older half is evicted at
 * once: deleting a map's oldest entries one by one gets slower and slower, because their slots are kept until the map is rebuilt.
 */
export class RecentIds {
  readonly #half: number;
  #newer = new Map<string, Place>();
  #older = new Map<string, Place>();

  /** @param capacity at least half as many are cached */
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
