/** Attempts at once to an endpoint that failed last, has not answered yet, or does not answer just now. */
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

/**
 * One endpoint's attempts: those running, those held in this process for the next slot, and the line of those that are in
 * the queue again, in the order they came. An endpoint earns its slots by answering, and the first failure costs it all
 * but two: a hundred endpoints that hang hold two hundred attempts, not a thousand. Attempts go by the ids of their
 * wake-ups; times are of a clock that only goes forward.
 */
export class EndpointLimiter {
  readonly #slots: number;
  /** When each began. The first is the oldest. */
  readonly #running = new Map<string, number>();
  /** Callback when a slot is granted. */
  readonly #held = new Map<string, () => void>();
  readonly #line = new Set<string>();
  /** Those of the line that were called, and when. */
  readonly #called = new Map<string, number>();
  #isTrusted = false;
  #usualMs = unknownMs;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** How long an attempt takes, milliseconds, the last ones counting most. */
  get usualMs(): number {
    return this.#usualMs;
  }

  /** True if only the average would be lost with it. */
  get isIdle(): boolean {
    return this.#running.size + this.#held.size + this.#line.size === 0;
  }

  /** Acquires a slot that is free and not held for another. */
  begin(attempt: string, now: number): boolean {
    if (!this.#canBegin(attempt, now)) return false;
    this.#start(attempt, now);
    return true;
  }

  /** Has it wait here when a slot is likely soon; `begin` is called once it has it. */
  hold(attempt: string, now: number, begin: () => void): boolean {
    if (!this.#canHold(attempt, now)) return false;
    this.forget(attempt);
    this.#held.set(attempt, begin);
    return true;
  }

  /** Whether coming now is of any use. */
  hasRoom(attempt: string, now: number): boolean {
    return this.#canBegin(attempt, now) || this.#canHold(attempt, now);
  }

  /** It is held no longer. False when it has got its slot. */
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

  /** Gives the slot back, first to those held. */
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

  /** It has ended, or another worker has it. */
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

  /** A called delivery that did not come is with another worker, or has ended. */
  #giveUpLate(now: number): void {
    for (const [attempt, calledAt] of this.#called) {
      if (now - calledAt < expectedMs) break;
      this.forget(attempt);
    }
  }
}
