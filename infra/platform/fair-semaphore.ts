interface Line {
  readonly waiting: Set<() => void>;
  /** Of its next permit. */
  round: number;
}

/**
 * Counting semaphore that shares its permits out between keys, first come, first served within one (start-time fair queueing:
 * Goyal, Vin, Cheng, SIGCOMM 1996, with requests of the same size):
 * - a permit is never left unused while a request waits;
 * - each key that waits gets one permit in each round. One that begins to wait does so in the round under way, or in the next one if it
 *   has had its permit of that already: between two permits of a key that waits, any other key gets two at most;
 * - within a round the key with the fewest requests goes first;
 * - requests without a key are granted when no others wait.
 */
export class FairSemaphore {
  readonly #lines = new Map<string | undefined, Line>();
  #free: number;
  #round = 0;

  constructor(count: number) {
    this.#free = count;
  }

  /** Requests of the key that wait. */
  waiting(key: string | undefined): number {
    return this.#lines.get(key)?.waiting.size ?? 0;
  }

  /** Rejects with the signal's reason when that is aborted before a permit was granted. */
  async acquire(key: string | undefined, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { waiting } = this.#lineOf(key);
    let withdraw: () => void = () => undefined;
    const isGranted = await new Promise<boolean>((resolve) => {
      const grant = () => resolve(true);
      withdraw = () => {
        if (waiting.delete(grant)) resolve(false);
      };
      signal?.addEventListener('abort', withdraw);
      waiting.add(grant);
      this.#grant();
    });
    signal?.removeEventListener('abort', withdraw);
    if (!isGranted) signal?.throwIfAborted();
  }

  release(): void {
    this.#free += 1;
    this.#grant();
  }

  #lineOf(key: string | undefined): Line {
    const line = this.#lines.get(key) ?? { waiting: new Set(), round: this.#round };
    if (line.waiting.size === 0) line.round = Math.max(line.round, this.#round);
    this.#lines.set(key, line);
    return line;
  }

  #grant(): void {
    const line = this.#free > 0 ? this.#next() : undefined;
    const [grant] = line?.waiting ?? [];
    if (!line || !grant) return;
    this.#free -= 1;
    line.waiting.delete(grant);
    this.#round = Math.max(this.#round, line.round);
    line.round += 1;
    this.#forget();
    grant();
    this.#grant();
  }

  #next(): Line | undefined {
    const lines = [...this.#lines].filter(([, { waiting }]) => waiting.size > 0);
    const [first] = lines.sort(
      ([one, a], [other, b]) =>
        Number(one === undefined) - Number(other === undefined) ||
        a.round - b.round ||
        a.waiting.size - b.waiting.size,
    );
    return first?.[1];
  }

  /** Keys that would begin anew in the round under way. */
  #forget(): void {
    for (const [key, { waiting, round }] of this.#lines)
      if (waiting.size === 0 && round <= this.#round) this.#lines.delete(key);
  }
}
