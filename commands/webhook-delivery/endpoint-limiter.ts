/** Concurrent attempts to an endpoint that failed last, has not answered yet, or is unresponsive. */
const cautiousSlots = 2;

/** An endpoint whose oldest attempt takes this long, and three times the average, counts as unresponsive; ms. */
const silentAfterMs = 1000;

/** Initial estimate of an attempt's duration, ms. */
const unknownMs = 1000;

/** Weight of the last attempt in the moving average. */
const weightOfLast = 0.2;

/** Maximum length of the queue; further deliveries wait by time only. */
const longestLine = 10_000;

/** How long a slot is held for a called delivery, ms. */
const expectedMs = 500;

/** Within this time every delivery of a queue has come back, here or to another worker, ms. */
const unusedMs = 1_000_000;

/**
 * One endpoint's concurrency limiter: running attempts, attempts held in this process for the next slot, and a FIFO line of those
 * back in the queue. An endpoint earns its slots by answering, and the first failure costs all but two: a hundred hanging
 * endpoints hold two hundred attempts, not a thousand. Attempts are identified by their wake-ups; times are of a monotonic clock.
 */
export class EndpointLimiter {
  readonly #slots: number;
  /** Start times, oldest first. */
  readonly #running = new Map<string, number>();
  /** Callback when a slot is granted. */
  readonly #held = new Map<string, () => void>();
  readonly #line = new Set<string>();
  /** Called attempts of the line, and when. */
  readonly #called = new Map<string, number>();
  #usedAt = Infinity;
  #isTrusted = false;
  #usualMs = unknownMs;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** Moving average of an attempt's duration, in milliseconds. */
  get usualMs(): number {
    return this.#usualMs;
  }

  /** True if it can be evicted, at the loss of the average only. */
  get isIdle(): boolean {
    return this.#running.size + this.#held.size + this.#line.size === 0;
  }

  /** True if nothing has asked for a slot for so long that its line can only be of deliveries that other workers have made. */
  isUnused(now: number): boolean {
    return this.#running.size + this.#held.size === 0 && now - this.#usedAt >= unusedMs;
  }

  /** Acquires a free slot that is not held for another. */
  begin(attempt: string, now: number): boolean {
    if (!this.#canBegin(attempt, now)) return false;
    this.#start(attempt, now);
    return true;
  }

  /** Holds the attempt in this process if a slot is likely soon; calls `begin` once it has one. */
  hold(attempt: string, now: number, begin: () => void): boolean {
    if (!this.#canHold(attempt, now)) return false;
    this.forget(attempt);
    this.#held.set(attempt, begin);
    return true;
  }

  /** Whether the attempt could begin or be held now. */
  hasRoom(attempt: string, now: number): boolean {
    return this.#canBegin(attempt, now) || this.#canHold(attempt, now);
  }

  /** Stops holding the attempt. False if it has its slot already. */
  release(attempt: string): boolean {
    return this.#held.delete(attempt);
  }

  /** Joins the queue, or keeps its place. Returns the estimated wait in milliseconds. */
  queueUp(attempt: string): number {
    this.#called.delete(attempt);
    if (this.#line.size < longestLine) this.#line.add(attempt);
    const slots = this.#isTrusted ? this.#slots : cautiousSlots;
    return (this.#usualMs * (this.#line.size + this.#running.size)) / slots;
  }

  /** Releases the slot, first to held attempts. */
  end(attempt: string, hasSucceeded: boolean, now: number): void {
    const lastedMs = now - (this.#running.get(attempt) ?? now);
    this.#running.delete(attempt);
    this.#usualMs = this.#isTrusted ? this.#usualMs + weightOfLast * (lastedMs - this.#usualMs) : lastedMs;
    this.#isTrusted = hasSucceeded;
    for (const [held, begin] of this.#held) {
      if (this.#running.size >= this.#limit(now)) break;
      this.#held.delete(held);
      this.#start(held, now);
      begin();
    }
  }

  /** Removes an attempt that has ended, or that another worker has. */
  forget(attempt: string): void {
    this.#line.delete(attempt);
    this.#called.delete(attempt);
  }

  /** The queued deliveries to call now: one for each free slot, and a few ahead while the endpoint responds. */
  next(now: number): readonly string[] {
    this.#giveUpLate(now);
    const ahead = this.#isAnswering(now) ? this.#slots : 0;
    let room = this.#limit(now) + ahead - this.#running.size - this.#held.size - this.#called.size;
    const chosen: string[] = [];
    for (const attempt of this.#line) {
      if (room <= 0) break;
      if (this.#called.has(attempt)) continue;
      this.#called.set(attempt, now);
      chosen.push(attempt);
      room -= 1;
    }
    return chosen;
  }

  #canBegin(attempt: string, now: number): boolean {
    this.#usedAt = now;
    this.#giveUpLate(now);
    const kept = this.#line.has(attempt) ? 0 : this.#called.size;
    return this.#held.size === 0 && this.#running.size + kept < this.#limit(now);
  }

  #canHold(attempt: string, now: number): boolean {
    const isTurn = this.#called.has(attempt) || this.#line.size === 0;
    return isTurn && this.#isAnswering(now) && this.#held.size < this.#slots;
  }

  #limit(now: number): number {
    return this.#isAnswering(now) ? this.#slots : Math.min(cautiousSlots, this.#slots);
  }

  #isAnswering(now: number): boolean {
    const [oldest = now] = this.#running.values();
    return this.#isTrusted && now - oldest <= Math.max(silentAfterMs, 3 * this.#usualMs);
  }

  #start(attempt: string, now: number): void {
    this.forget(attempt);
    this.#running.set(attempt, now);
  }

  /** Removes called deliveries that did not come: another worker has them, or they have ended. */
  #giveUpLate(now: number): void {
    for (const [attempt, calledAt] of this.#called) {
      if (now - calledAt < expectedMs) break;
      this.forget(attempt);
    }
  }
}
