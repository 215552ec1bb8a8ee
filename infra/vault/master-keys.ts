import { nameOfKey, type KeyList } from '../platform/key-list.ts';
import { decryptByAny, encrypt } from './cipher.ts';

/** A stored key. */
export interface Wrapped {
  /** Name of the master key that wrapped it. */
  readonly masterKey: string;
  readonly wrapped: Buffer;
}

/** Wraps with the first key, and unwraps with any. */
export interface MasterKeys {
  /** In the order of the keys. */
  readonly names: KeyList<string>;
  readonly wrap: (key: Buffer, context: string) => Wrapped;
  /** Throws if none of the keys wrapped it, and for another context. */
  readonly unwrap: (row: Wrapped, context: string) => Buffer;
}

/** The name in rows wrapped before keys had names: any of the keys. */
const unnamed = 'master:1';

/** @param keys 32 bytes each */
export function createMasterKeys(keys: KeyList<Buffer>): MasterKeys {
  if (keys.some(({ length }) => length !== 32)) throw new Error('A master key must be 32 bytes.');
  const named = keys.map((key) => ({ name: nameOfKey(key), key }));
  const [first, ...others] = keys;
  const keysNamed = (name: string): KeyList<Buffer> => {
    if (name === unnamed) return keys;
    const found = named.find((each) => each.name === name);
    if (found === undefined) throw new Error(`MASTER_KEY lacks the key ${name}.`);
    return [found.key];
  };
  return {
    names: [nameOfKey(first), ...others.map(nameOfKey)],
    wrap: (key, context) => ({ masterKey: nameOfKey(first), wrapped: encrypt(first, key, context) }),
    unwrap: ({ masterKey, wrapped }, context) => decryptByAny(keysNamed(masterKey), wrapped, context),
  };
}
