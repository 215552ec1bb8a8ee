import { LRUCache } from 'lru-cache';

/** Any value but undefined, which means no entry. */
type Present = string | number | boolean | object;

export interface CacheOptions {
  /** Above this number the least recently used entry is evicted; 0 disables the cache. Default: 10,000. */
  readonly maxEntries?: number;
  /** Maximum age of an entry, in whole milliseconds. Default: no limit. */
  readonly maxAgeMs?: number;
  /** Keeps stale entries, for `peek`, until they are evicted. */
  readonly keepsStale?: boolean;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/**
 * An LRU cache with a maximum age: use protects an entry from eviction, but does not extend its age.
 *
 * To the library an entry is stale once it is older than its ttl, and one of time 0 never is. So its clock is 2 ms ahead, and the
 * times of entries 1 ms: an entry is stale once its age equals its ttl.
 */
export class Cache<Key extends string, Value extends Present> {
  readonly #entries: LRUCache<Key, Value> | undefined;
  /** For `set`: the time before the source is read, so that a slow answer is not considered newer than its content. */
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

  /** The entry, even a stale one. Does not count as a use. */
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
  /** Maximum age of a cached value in milliseconds, should an invalidation be missed. */
  readonly maxAgeMs: number;
  /** Serves a stale value while it is read again, and while reading fails. */
  readonly servesStale?: boolean;
  /** False for a value that must be read at each call. Default: every value is cached. */
  readonly isCacheable?: (value: Value) => boolean;
}

/**
 * Cached reads with single flight. An entry is also invalidated by `forget`: a value whose read began before is returned to its
 * waiters, but not cached.
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

  /** The cached value; calls `read` if there is none, or it is stale. */
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

/** Memoises a pure function of a text, for the most recent texts. */
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
