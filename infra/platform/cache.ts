import { LRUCache } from 'lru-cache';

/** Whatever is not `undefined`, which stands for no entry. */
type Present = string | number | boolean | object;

export interface CacheOptions {
  /** When there are more, the least recently used one is evicted; 0 caches nothing. Default: 10,000. */
  readonly maxEntries?: number;
  /** Maximum age of an entry, whole milliseconds. Default: no limit. */
  readonly maxAgeMs?: number;
  /** Keeps stale entries, for `peek`, until they are evicted. */
  readonly keepsStale?: boolean;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * An LRU cache whose entries have a hard age: being used keeps an entry from being evicted, and never makes it younger.
 *
 * To the library an entry is stale once it is older than its ttl, and one of time 0 never. So its clock is 2 ms ahead, and the
 * times of entries 1 ms: an entry is stale once it is as old as its ttl.
 */
export class Cache<Key extends string, Value extends Present> {
  readonly #entries: LRUCache<Key, Value> | undefined;
  /** For `set`: the time before the source is read, so that a slow answer is not younger than its content. */
  readonly now: () => number;

  constructor(options: CacheOptions = {}) {
    const { maxEntries: max = 10_000, maxAgeMs = Infinity, keepsStale = false } = options;
    const { now = () => performance.now() } = options;
    this.now = now;
    if (max === 0) return;
    this.#entries = new LRUCache({
      max,
      ...(maxAgeMs < Infinity && { ttl: Math.max(1, maxAgeMs), ttlResolution: 0 }),
      noDeleteOnStaleGet: keepsStale,
      perf: { now: () => now() + 2 },
    });
  }

  get(key: Key): Value | undefined {
    return this.#entries?.get(key);
  }

  /** The entry, also a stale one. It does not count as a use. */
  peek(key: Key): Value | undefined {
    return this.#entries?.peek(key, { allowStale: true });
  }

  set(key: Key, value: Value, readAt = this.now()): void {
    this.#entries?.set(key, value, { start: readAt + 1 });
  }

  delete(key: Key): void {
    this.#entries?.delete(key);
  }

  clear(): void {
    this.#entries?.clear();
  }
}

interface CachedReadsOptions<Value> extends Omit<CacheOptions, 'keepsStale'> {
  /** The oldest a cached value may be, in case an invalidation is missed; milliseconds. */
  readonly maxAgeMs: number;
  /** Serves a stale value while it is read again, and for as long as reading fails. */
  readonly servesStale?: boolean;
  /** False for a value that is read again at the next call, however young it is. Default: every value is cached. */
  readonly isCacheable?: (value: Value) => boolean;
}

/**
 * Cached reads with single flight: concurrent callers share one. An entry is also invalidated as soon as it is known to have
 * changed; a value whose read began before `forget` is given to those who waited for it, and is not cached.
 */
export class CachedReads<Value> {
  readonly #entries: Cache<string, Promise<Value>>;
  readonly #servesStale: boolean;
  readonly #isCacheable: (value: Value) => boolean;

  constructor({ servesStale = false, isCacheable = () => true, ...cache }: CachedReadsOptions<Value>) {
    this.#entries = new Cache({ ...cache, keepsStale: true });
    this.#servesStale = servesStale;
    this.#isCacheable = isCacheable;
  }

  /** The cached value; calls `read` when there is none, or it is stale. */
  get(key: string, read: () => Promise<Value>): Promise<Value> {
    return this.#entries.get(key) ?? this.#refresh(key, read);
  }

  /** True if the key has an entry, even a stale one. */
  has(key: string): boolean {
    return this.#entries.peek(key) !== undefined;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  #refresh(key: string, read: () => Promise<Value>): Promise<Value> {
    const entries = this.#entries;
    const readAt = entries.now();
    const stale = this.#servesStale ? entries.peek(key) : undefined;
    const reading = read();
    const served = stale ?? reading;
    entries.set(key, served, readAt);
    const isCurrent = () => entries.peek(key) === served;
    reading.then(
      (value) => {
        if (isCurrent()) entries.set(key, reading, this.#isCacheable(value) ? readAt : -Infinity);
      },
      () => {
        if (isCurrent() && stale === undefined) entries.delete(key);
      },
    );
    return served;
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
