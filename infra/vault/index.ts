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
export { countUnreadable, countWrapped, rewrap } from './rewrap.ts';

export type Opened = { readonly text: string } | { readonly erased: true };

/** The owner's key is destroyed: nothing can be sealed for it any more. */
export class AccountErased extends Error {
  constructor(owner: string) {
    super(`The data key of ${owner} is erased.`);
    this.name = 'AccountErased';
  }
}

/** The vault lacks the key, as after a restore of an older copy, or the sealed value is damaged or another owner's. */
export class SealUnreadable extends Error {
  override readonly name = 'SealUnreadable';
}

/**
 * Seals data that must not be in events in clear with the key of its owner; destroying the key erases the data. An owner is
 * anything that can be erased on its own, such as an account, a profile or an invitation.
 */
export interface Vault {
  /** A self-describing string that only `open` with the same owner and field can read. Rejects with `AccountErased`. */
  readonly seal: (owner: string, field: string, text: string) => Promise<string>;
  /** Fetches the owner's key once, so that sealing cannot fail after an effect. Rejects like `seal`. */
  readonly sealer: (owner: string) => Promise<Sealer>;
  /** Rejects with `SealUnreadable`. */
  readonly open: (owner: string, field: string, sealed: string) => Promise<Opened>;
  /**
   * 32 permanent bytes derived from the owner's key, for its pseudonym. Rejects with `AccountErased`, and with `SealUnreadable`
   * if there is no key.
   */
  readonly salt: (owner: string) => Promise<Buffer>;
  /** Destroys the owner's key: everything sealed with it is permanently erased. Idempotent. */
  readonly forget: (owner: string) => Promise<void>;
}

export type Sealer = (field: string, text: string) => string;

export interface VaultOptions {
  readonly pool: Pool;
  readonly masterKeys: MasterKeys;
  /**
   * Cache lifetime of an unwrapped key after it was read, in ms, however often it is used: a key destroyed by another process
   * stops working here within this time.
   */
  readonly keyAgeMs?: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** Version of the sealed format: `<marker>.<base64url of nonce, ciphertext and tag>`. */
const marker = 'sealed1';
const contextOf = (owner: string, field: string): string => JSON.stringify(['field', owner, field]);

/** Separates a salt from other values derived from a data key. */
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

/** 32 bytes by HKDF-SHA-256 (RFC 5869) without a salt: a single block, in half the time of `hkdfSync`. */
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

/** Reads a key with `read` unless it is cached. Only keys are cached; a missing one is read each time. */
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
