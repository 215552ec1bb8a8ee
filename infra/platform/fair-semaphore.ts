interface Line {
  readonly waiting: Set<() => void>;
  /** Round of its next permit. */
  round: number;
}

/**
 * Counting semaphore with fair sharing between keys, FIFO within one (start-time fair queueing: Goyal, Vin, Cheng, SIGCOMM 1996,
 * with requests of equal size):
 * - a permit is never unused while a request waits;
 * - each waiting key gets one permit per round. A key that starts to wait joins the present round, or the next one if it has had
 *   a permit in this round: between two permits of a waiting key, any other key gets at most two;
 * - within a round the key with the fewest requests is first;
 * - requests without a key are granted when no others wait.
 */
export class FairSemaphore {
  readonly #lines = new Map<string | undefined, Line>();
  #free: number;
  #round = 0;

  constructor(count: number) {
    this.#free = count;
  }

  /** Number of the key's waiting requests. */
  waiting(key: string | undefined): number {
    return this.#lines.get(key)?.waiting.size ?? 0;
  }

  /** Rejects with the signal's reason if it aborts before a permit is granted. */
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

  /** Removes keys that would join the present round anyway. */
  #forget(): void {
    for (const [key, { waiting, round }] of this.#lines)
      if (waiting.size === 0 && round <= this.#round) this.#lines.delete(key);
  }
}
