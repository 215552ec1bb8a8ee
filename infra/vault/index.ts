import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { Cache } from '../platform/cache.ts';
import { decrypt, encrypt } from './cipher.ts';
import { createDataKeys, type DataKey } from './data-keys.ts';
import type { MasterKeys } from './master-keys.ts';

export { vaultMigrations } from './migrations.ts';
export { createSigningKeys, type SigningKey, type SigningKeys } from './signing-keys.ts';
export { holdKeys, keyHolders, type HeldKeys, type KeyHolder } from './key-holders.ts';
export { createMasterKeys, type MasterKeys } from './master-keys.ts';
export { namingKey, recordNamingKey } from './naming-key.ts';
export { countWrapped, rewrap } from './rewrap.ts';

export type Opened = { readonly text: string } | { readonly erased: true };

/** Nothing can be sealed for the owner any more. */
export class AccountErased extends Error {
  constructor(owner: string) {
    super(`The data key of ${owner} is erased.`);
    this.name = 'AccountErased';
  }
}

/** The vault has no key for it, as one restored from an older copy, or the sealed value is damaged or another owner's. */
export class SealUnreadable extends Error {
  override readonly name = 'SealUnreadable';
}

/**
 * Keeps what must not stand in events in clear: sealed for an owner, and gone when the owner's key is. An owner is whatever has
 * an end of its own: an account, or a profile.
 */
export interface Vault {
  /** A self-describing string that only `open` with the same owner and field can read. Rejects with `AccountErased`. */
  readonly seal: (owner: string, field: string, text: string) => Promise<string>;
  /** Fetches the owner's key once, so that sealing cannot fail after an effect. Rejects as `seal`. */
  readonly sealer: (owner: string) => Promise<Sealer>;
  /** Rejects with `SealUnreadable`. */
  readonly open: (owner: string, field: string, sealed: string) => Promise<Opened>;
  /**
   * 32 bytes that are the owner's for good and follow from its key, for a pseudonym of it. Rejects with `AccountErased`, and with
   * `SealUnreadable` where there is no key.
   */
  readonly salt: (owner: string) => Promise<Buffer>;
  /** Destroys the owner's key: everything sealed with it reads as erased, for good. Idempotent. */
  readonly forget: (owner: string) => Promise<void>;
}

export type Sealer = (field: string, text: string) => string;

export interface VaultOptions {
  readonly pool: Pool;
  readonly masterKeys: MasterKeys;
  /**
   * How long an unwrapped key is used after it was read, ms, however often it is asked for: a key that another process
   * destroyed is refused here within this time.
   */
  readonly keyAgeMs?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** Version of the sealed form: `<marker>.<base64url of nonce, ciphertext and tag>`. */
const marker = 'sealed1';
const contextOf = (owner: string, field: string): string => JSON.stringify(['field', owner, field]);

/** What sets a salt apart from everything else that is made of a data key. */
const saltInfo = 'salt of pseudonyms';

const noKeyOf = (owner: string) => new SealUnreadable(`The vault has no data key of ${owner}.`);

export function createVault({ pool, masterKeys, keyAgeMs = 10_000, now }: VaultOptions): Vault {
  const keys = createDataKeys(pool, masterKeys);
  const cache = new Cache<string, Buffer>({ maxAgeMs: keyAgeMs, ...(now && { now }) });

  const keyOf = cachedIn(cache);

  const sealer = async (owner: string): Promise<Sealer> => {
    const key = await keyOf(owner, keys.findOrCreate);
    if (key === 'erased') throw new AccountErased(owner);
    if (key === 'none') throw new Error(`The data key of ${owner}: ${key}.`);
    return (field, text) =>
      `${marker}.${encrypt(key, Buffer.from(text), contextOf(owner, field)).toString('base64url')}`;
  };

  return {
    sealer,
    seal: async (owner, field, text) => (await sealer(owner))(field, text),

    async open(owner, field, sealed) {
      const [form, payload] = sealed.split('.', 2);
      if (form !== marker || payload === undefined)
        throw new SealUnreadable('Not a sealed value of a known form.');
      const key = await keyOf(owner, keys.find);
      if (key === 'erased') return { erased: true };
      if (key === 'none') throw noKeyOf(owner);
      return { text: unsealed(key, Buffer.from(payload, 'base64url'), contextOf(owner, field)) };
    },

    async salt(owner) {
      const key = await keyOf(owner, keys.find);
      if (key === 'erased') throw new AccountErased(owner);
      if (key === 'none') throw noKeyOf(owner);
      return derived(key, saltInfo);
    },

    async forget(owner) {
      await keys.erase(owner);
      cache.delete(owner);
    },
  };
}

/** 32 bytes by HKDF-SHA-256 (RFC 5869) without a salt: its one block, in half the time that `hkdfSync` takes. */
function derived(key: Buffer, info: string): Buffer {
  const extracted = createHmac('sha256', noSalt).update(key).digest();
  return createHmac('sha256', extracted).update(info).update(firstBlock).digest();
}
const [noSalt, firstBlock] = [Buffer.alloc(32), Buffer.of(1)];

function unsealed(key: Buffer, sealed: Buffer, context: string): string {
  try {
    return decrypt(key, sealed, context).toString();
  } catch (error) {
    throw new SealUnreadable('The sealed value does not open.', { cause: error });
  }
}

/** Reads a key with `read` unless the cache has it. Only keys are cached: that there is none any more is always asked. */
const cachedIn =
  (cache: Cache<string, Buffer>) =>
  async (owner: string, read: (owner: string) => Promise<DataKey>): Promise<DataKey> => {
    const cached = cache.get(owner);
    if (cached !== undefined) return cached;
    const askedAt = cache.now();
    const key = await read(owner);
    if (typeof key !== 'string') cache.set(owner, key, askedAt);
    return key;
  };
