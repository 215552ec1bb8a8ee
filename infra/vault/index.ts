import type { Pool } from 'pg';
import { Cache } from '../platform/cache.ts';
import { decrypt, encrypt } from './cipher.ts';
import { createDataKeys, type DataKey, type MasterKey } from './data-keys.ts';

export { vaultMigrations } from './migrations.ts';
export { createSigningKeys, type SigningKeys } from './signing-keys.ts';
export type { MasterKey } from './data-keys.ts';

export type Opened = { readonly text: string } | { readonly erased: true };

/** Nothing can be sealed for the account any more. */
export class AccountErased extends Error {
  constructor(accountId: string) {
    super(`The data key of ${accountId} is erased.`);
    this.name = 'AccountErased';
  }
}

/** Keeps what must not stand in events in clear: sealed per account, and gone when the account's key is. */
export interface Vault {
  /** A self-describing string that only `open` with the same account and field can read. Rejects with `AccountErased`. */
  readonly seal: (accountId: string, field: string, text: string) => Promise<string>;
  readonly open: (accountId: string, field: string, sealed: string) => Promise<Opened>;
  /** Destroys the account's key: everything sealed with it reads as erased, for good. Idempotent. */
  readonly forget: (accountId: string) => Promise<void>;
}

export interface VaultOptions {
  readonly pool: Pool;
  readonly masterKey: MasterKey;
  /**
   * How long an unwrapped key is used after it was read, ms, however often it is asked for: a key that another process
   * destroyed is refused here within this time.
   */
  readonly keyAgeMs?: number;
  readonly cacheEntries?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** Version of the sealed form: `<marker>.<base64url of nonce, ciphertext and tag>`. */
const marker = 'sealed1';
const contextOf = (accountId: string, field: string): string => JSON.stringify(['field', accountId, field]);

export function createVault({
  pool,
  masterKey,
  keyAgeMs = 10_000,
  cacheEntries = 10_000,
  now,
}: VaultOptions): Vault {
  if (masterKey.key.length !== 32) throw new Error('The master key must be 32 bytes.');
  const keys = createDataKeys(pool, masterKey);
  const cache = new Cache<string, Buffer>({
    maxEntries: cacheEntries,
    maxAgeMs: keyAgeMs,
    ...(now && { now }),
  });

  const keyOf = cachedIn(cache);

  return {
    async seal(accountId, field, text) {
      const key = await keyOf(accountId, keys.findOrCreate);
      if (key === 'erased') throw new AccountErased(accountId);
      if (key === 'none') throw new Error(`The data key of ${accountId}: ${key}.`);
      const sealed = encrypt(key, Buffer.from(text), contextOf(accountId, field));
      return `${marker}.${sealed.toString('base64url')}`;
    },

    async open(accountId, field, sealed) {
      const [form, payload] = sealed.split('.', 2);
      if (form !== marker || payload === undefined) throw new Error('Not a sealed value of a known form.');
      const key = await keyOf(accountId, keys.find);
      if (key === 'erased') return { erased: true };
      if (key === 'none') throw new Error(`The vault has no data key of ${accountId}.`);
      const plain = decrypt(key, Buffer.from(payload, 'base64url'), contextOf(accountId, field));
      return { text: plain.toString() };
    },

    async forget(accountId) {
      await keys.erase(accountId);
      cache.delete(accountId);
    },
  };
}

/** Reads a key with `read` unless the cache has it. Only keys are cached: that there is none any more is always asked. */
const cachedIn =
  (cache: Cache<string, Buffer>) =>
  async (accountId: string, read: (accountId: string) => Promise<DataKey>): Promise<DataKey> => {
    const cached = cache.get(accountId);
    if (cached !== undefined) return cached;
    const askedAt = cache.now();
    const key = await read(accountId);
    if (typeof key !== 'string') cache.set(accountId, key, askedAt);
    return key;
  };
