import { AbortError } from './errors.ts';
import type { Signal } from './options.ts';

/** A limit of time that was reached. */
export class TimedOut extends Error {}

/**
 * Who waits for a signal of a caller: of all its calls one listener, for platforms warn of many. A signal has none when no call
 * follows it.
 */
const followers = new WeakMap<Signal, Followers>();
interface Followers {
  readonly calls: Set<() => void>;
  readonly listener: () => void;
}

function follow(signal: Signal, stop: () => void): void {
  const known = followers.get(signal);
  if (known !== undefined) return void known.calls.add(stop);
  const calls = new Set([stop]);
  const listener = (): void => calls.forEach((each) => each());
  signal.addEventListener('abort', listener);
  followers.set(signal, { calls, listener });
}

function unfollow(signal: Signal, stop: () => void): void {
  const known = followers.get(signal);
  if (known?.calls.delete(stop) !== true || known.calls.size > 0) return;
  signal.removeEventListener('abort', known.listener);
  followers.delete(signal);
}

/**
 * Ends one call when its time is over, or when the caller's signal says so. After `end` it leaves no timer and no listener.
 */
export class Limit {
  /** Whether one of the call's tries may have taken effect, as far as answers tell. */
  inDoubt = false;
  readonly #controller = new AbortController();
  readonly #caller: Signal | undefined;
  readonly #endsAt: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reason: Error | undefined;

  constructor(caller: Signal | undefined, timeoutMs: number) {
    this.#caller = caller;
    this.#endsAt = performance.now() + timeoutMs;
    if (caller?.aborted === true) this.#abort();
    else {
      if (caller !== undefined) follow(caller, this.#abort);
      // A timer takes no longer time than that: none is set.
      if (timeoutMs < 2 ** 31) {
        const text = `The call did not end within ${timeoutMs} ms.`;
        this.#timer = setTimeout(() => this.stop(new TimedOut(text)), timeoutMs);
      }
    }
  }

  get signal(): Signal {
    return this.#controller.signal;
  }

  /** Why it ended the call; undefined while it has not. A method: it may be another thing after each waiting. */
  reason(): Error | undefined {
    return this.#reason;
  }

  /** Throws `AbortError` where the caller has ended the call. */
  throwIfAborted(): void {
    if (this.#reason instanceof AbortError) throw this.#reason;
  }

  get leftMs(): number {
    return this.#endsAt - performance.now();
  }

  readonly #abort = (): void => this.stop(new AbortError(this.#caller?.reason));

  stop(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller.abort(reason);
    this.onStop?.(reason);
  }

  /** What is to be done when the call is ended, if anything; one thing at a time. */
  onStop: ((reason: Error) => void) | undefined;

  /** What `work` gives, or the reason as soon as the call is ended, whether `work` heeds the signal or not. */
  race<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#reason !== undefined) reject(this.#reason);
      this.onStop = reject;
      work.then(resolve, reject);
    });
  }

  /** Resolves after the milliseconds; rejects with the reason when the call is ended before. */
  async wait(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await this.race(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))));
    } finally {
      clearTimeout(timer);
    }
  }

  /** From now on there is no limit of time, only the caller's signal. */
  disarm(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    clearTimeout(this.#timer);
    if (this.#caller !== undefined) unfollow(this.#caller, this.#abort);
  }
}
