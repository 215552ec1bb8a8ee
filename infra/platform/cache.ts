export interface CacheOptions {
  /** When there are more, the least recently used one leaves. */
  readonly maxEntries: number;
  /** How long an entry may be used after it was read from its source, ms. Without it: for as long as there is room. */
  readonly maxAgeMs?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * A bounded cache whose entries have a hard age: being used keeps an entry from being evicted, and never makes it younger.
 */
export class Cache<Key, Value> {
  readonly #entries = new Map<Key, { readonly value: Value; readonly readAt: number }>();
  readonly #maxEntries: number;
  readonly #maxAgeMs: number;
  /** For `set`: the time before the source is asked, so that an answer that took long is not younger than what it says. */
  readonly now: () => number;

  constructor({ maxEntries, maxAgeMs = Infinity, now = () => performance.now() }: CacheOptions) {
    this.#maxEntries = maxEntries;
    this.#maxAgeMs = maxAgeMs;
    this.now = now;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (this.now() - entry.readAt >= this.#maxAgeMs) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value, readAt = this.now()): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, readAt });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#maxEntries && oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}

/** A function whose answer to a text never changes, asked once for each of the texts it was last asked about. */
export function memoized<Answer>(ask: (text: string) => Answer, maxEntries = 2000): (text: string) => Answer {
  const cache = new Cache<string, { readonly answer: Answer }>({ maxEntries });
  return (text) => {
    const found = cache.get(text);
    if (found !== undefined) return found.answer;
    const answer = ask(text);
    cache.set(text, { answer });
    return answer;
  };
}
