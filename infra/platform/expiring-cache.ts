interface ExpiringCacheOptions<State> {
  /** The oldest a cached value may be, in case an invalidation is missed; milliseconds. */
  readonly maxAgeMs: number;
  readonly entries?: number;
  /** Milliseconds that only ever go forward; by default of this process. */
  readonly now?: () => number;
  /** Serves an expired value while it is read again, and for as long as reading fails. */
  readonly oldWhileReading?: boolean;
  /** False for a state that is read again at the next call, however young it is. Default: every state is cached. */
  readonly isCacheable?: (state: State) => boolean;
}

interface Entry<State> {
  readonly state: Promise<State>;
  readAt: number;
  /** Given out until `state` is there. */
  before: Promise<State> | undefined;
}

/**
 * A cache with a maximum age, whose entries are also invalidated as soon as they are known to have changed. Concurrent
 * callers share one read. A value whose read began before `forget` is given to those who waited for it, and is not cached.
 */
export function createExpiringCache<State>(options: ExpiringCacheOptions<State>) {
  const { maxAgeMs, entries = 10_000, oldWhileReading = false, isCacheable = () => true } = options;
  const { now: clock = () => performance.now() } = options;
  const known = new Map<string, Entry<State>>();

  const refresh = (key: string, read: () => Promise<State>, readAt: number): Entry<State> => {
    const old = oldWhileReading ? known.get(key) : undefined;
    const before = old?.before ?? old?.state;
    const entry: Entry<State> = { state: read(), readAt, before };
    known.delete(key);
    known.set(key, entry);
    const [oldest] = known.keys();
    if (known.size > entries && oldest !== undefined) known.delete(oldest);
    entry.state.then(
      (state) => {
        entry.before = undefined;
        if (!isCacheable(state)) entry.readAt = -Infinity;
      },
      () => {
        if (known.get(key) !== entry) return;
        if (before === undefined) known.delete(key);
        else known.set(key, { state: before, readAt, before: undefined });
      },
    );
    return entry;
  };

  return {
    /** The cached value; calls `read` when there is none, or it is too old. */
    get(key: string, read: () => Promise<State>): Promise<State> {
      const now = clock();
      const found = known.get(key);
      const entry = found && now - found.readAt < maxAgeMs ? found : refresh(key, read, now);
      return entry.before ?? entry.state;
    },
    /** True if the key has an entry, even an expired one. */
    has: (key: string): boolean => known.has(key),
    forget: (key: string): void => void known.delete(key),
    clear: (): void => known.clear(),
  };
}
