/** Answers that are believed for a while and forgotten at once when they are known to have changed. */
export interface ExpiringCache<State> {
  /** What is believed under the key; `read` is asked when nothing is, or when it is too old. */
  get(key: string, read: () => Promise<State>): Promise<State>;
  /** Whether it has been asked for lately, however old what is known is by now. */
  has(key: string): boolean;
  forget(key: string): void;
  clear(): void;
}

export interface ExpiringCacheOptions {
  /** How old a believed state may be, whatever became of the news of its change, milliseconds. */
  readonly maxAgeMs: number;
  readonly entries?: number;
  /** Milliseconds that only ever go forward; by default of this process. */
  readonly now?: () => number;
  /** Gives out what is too old while it is read again, and for as long as it cannot be read. */
  readonly oldWhileReading?: boolean;
}

interface Entry<State> {
  readonly state: Promise<State>;
  readonly readAt: number;
  /** Given out until `state` is there. */
  before: Promise<State> | undefined;
}

/**
 * One read serves all that ask meanwhile; a state read before `forget` and arriving after it is given to those who
 * waited, and not kept.
 */
export function createExpiringCache<State>(options: ExpiringCacheOptions): ExpiringCache<State> {
  const {
    maxAgeMs,
    entries = 10_000,
    now: clock = () => performance.now(),
    oldWhileReading = false,
  } = options;
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
      () => (entry.before = undefined),
      () => {
        if (known.get(key) !== entry) return;
        if (before === undefined) known.delete(key);
        else known.set(key, { state: before, readAt, before: undefined });
      },
    );
    return entry;
  };

  return {
    get(key, read) {
      const now = clock();
      const found = known.get(key);
      const entry = found && now - found.readAt < maxAgeMs ? found : refresh(key, read, now);
      return entry.before ?? entry.state;
    },
    has: (key) => known.has(key),
    forget: (key) => void known.delete(key),
    clear: () => known.clear(),
  };
}
