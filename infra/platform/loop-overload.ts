/** What tells an overload from a pause. */
export interface OverloadLimits {
  /** Interval of the probes, in milliseconds. */
  readonly everyMs: number;
  /** A probe that is delayed by more milliseconds is late. */
  readonly lateMs: number;
  /** Number of late probes in a row that mean an overload. */
  readonly inARow: number;
}

/**
 * A request takes several turns of the event loop: with a second for each, its answer takes some ten. The limits are that high because
 * processes on a machine without free CPU time are late, too.
 */
const usual: OverloadLimits = { everyMs: 200, lateMs: 1_000, inARow: 3 };

/**
 * Whether an event loop is overloaded, by the delays of a timer. A pause (a garbage collection, a suspension of the process) delays one
 * probe, and the work that has waited for its end perhaps the next. Only work that fills one turn after the other delays more of them.
 */
export class LoopDelays {
  readonly #limits: OverloadLimits;
  #dueAt: number;
  #late = 0;

  /** All times are in milliseconds of a monotonic clock. */
  constructor(now: number, limits: OverloadLimits = usual) {
    this.#limits = limits;
    this.#dueAt = now + limits.everyMs;
  }

  /** Records that the timer ran. */
  probe(now: number): void {
    this.#late = this.#isLate(now) ? this.#late + 1 : 0;
    this.#dueAt = now + this.#limits.everyMs;
  }

  /** True if the next probe is late by now, as the ones before it were: each turn begins with time for work that is not refused. */
  isOverloaded(now: number): boolean {
    return this.#late >= this.#limits.inARow - 1 && this.#isLate(now);
  }

  #isLate(now: number): boolean {
    return now - this.#dueAt > this.#limits.lateMs;
  }
}

export interface WatchedLoop {
  readonly isOverloaded: () => boolean;
  readonly close: () => void;
}

/** Watches the event loop of this process. `onChange`: called when an overload begins, and when it ends. */
export function watchLoop(
  onChange: (isOverloaded: boolean) => void,
  limits: OverloadLimits = usual,
): WatchedLoop {
  const delays = new LoopDelays(performance.now(), limits);
  let wasOverloaded = false;
  const timer = setInterval(() => {
    const now = performance.now();
    const isOverloaded = delays.isOverloaded(now);
    delays.probe(now);
    if (isOverloaded !== wasOverloaded) onChange(isOverloaded);
    wasOverloaded = isOverloaded;
  }, limits.everyMs).unref();
  return { isOverloaded: () => delays.isOverloaded(performance.now()), close: () => clearInterval(timer) };
}
