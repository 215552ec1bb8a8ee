/** The key for readers of the whole log. Not allowed as the name of a stream. */
export const ALL = '$all';

/** Wakes readers at the end of their stream. Signals without a waiter are dropped. */
export class LogSignals {
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Resolves at the next commit to the stream, or when the signal aborts. */
  next(stream: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(stream) ?? new Set();
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        waiting.delete(wake);
        if (waiting.size === 0) this.#waiting.delete(stream);
        resolve();
      };
      this.#waiting.set(stream, waiting.add(wake));
      signal.addEventListener('abort', wake);
    });
  }

  announce(streams: Iterable<string>): void {
    for (const stream of streams) this.#wake(stream);
    this.#wake(ALL);
  }

  #wake(stream: string): void {
    for (const wake of [...(this.#waiting.get(stream) ?? [])]) wake();
  }
}
