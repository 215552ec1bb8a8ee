export interface KeyCache {
  get(accountId: string): Buffer | undefined;
  set(accountId: string, key: Buffer): void;
  delete(accountId: string): void;
}

/** Unwrapped data keys, each for at most `maxMs` after it was last put in; the longest untouched leave first. */
export function createKeyCache(maxMs: number, maxEntries: number): KeyCache {
  const entries = new Map<string, { readonly key: Buffer; readonly until: number }>();
  return {
    get: (accountId) => {
      const entry = entries.get(accountId);
      return entry && entry.until > performance.now() ? entry.key : undefined;
    },
    set: (accountId, key) => {
      entries.delete(accountId);
      entries.set(accountId, { key, until: performance.now() + maxMs });
      const [oldest] = entries.keys();
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    },
    delete: (accountId) => void entries.delete(accountId),
  };
}
