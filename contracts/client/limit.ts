import { AbortError } from './errors.ts';
import type { Signal } from './options.ts';

/** A timeout was reached. */
export class TimedOut extends Error {}

/** Listeners per signal of a caller: one for all its calls, because platforms warn about many; removed with the last call. */
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

/** Aborts one call after its timeout, or by the caller's signal. After `end` no timer and no listener is left. */
export class Limit {
  /** Whether one of the call's tries may have taken effect, according to the answers. */
  inDoubt = false;
  readonly #controller = new AbortController();
  readonly #caller: Signal | undefined;
  #endsAt: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reason: Error | undefined;

  constructor(caller: Signal | undefined, timeoutMs: number) {
    this.#caller = caller;
    this.#endsAt = performance.now() + timeoutMs;
    if (caller?.aborted === true) this.#abort();
    else {
      if (caller !== undefined) follow(caller, this.#abort);
      // A timer of more than 2^31 ms would be due at once: a longer timeout means none.
      if (timeoutMs < 2e9) {
        const text = `The call did not end within ${timeoutMs} ms.`;
        this.#timer = setTimeout(() => this.stop(new TimedOut(text)), timeoutMs);
      }
    }
  }

  get signal(): Signal {
    return this.#controller.signal;
  }

  /** Why the call was aborted; undefined if it was not. A method, because the value may change during an await. */
  reason(): Error | undefined {
    return this.#reason;
  }

  /** Throws `AbortError` if the caller has aborted the call. */
  throwIfAborted(): void {
    if (this.#reason instanceof AbortError) throw this.#reason;
  }

  readonly #abort = (): void => this.stop(new AbortError(this.#caller?.reason));

  stop(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller.abort(reason);
    this.onStop?.(reason);
  }

  /** Called when the call is aborted; one callback at a time. */
  onStop: ((reason: Error) => void) | undefined;

  /** Resolves as `work` does; rejects as soon as the call is aborted, even if `work` ignores the signal. */
  race<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#reason !== undefined) reject(this.#reason);
      this.onStop = reject;
      work.then(resolve, reject);
    });
  }

  /**
   * Resolves to true after the milliseconds, or to false as soon as it is known that the call's timeout comes first.
   * Rejects with `AbortError` if the caller aborts.
   *
   * The timeout may come first even if it is due later: a runtime that was busy runs due timers of one duration
   * together.
   */
  async wait(ms: number): Promise<boolean> {
    if (ms >= this.#endsAt - performance.now()) return false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await this.race(new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))));
      return true;
    } catch (reason) {
      if (reason instanceof TimedOut) return false;
      throw reason;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Removes the timeout, but not the caller's signal. */
  disarm(): void {
    clearTimeout(this.#timer);
    this.#endsAt = Infinity;
  }

  end(): void {
    clearTimeout(this.#timer);
    if (this.#caller !== undefined) unfollow(this.#caller, this.#abort);
  }
}
