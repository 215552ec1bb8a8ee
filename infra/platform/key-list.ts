import { createHmac } from 'node:crypto';

/** Keys of one kind during a rotation: new values use the first, all are accepted. */
export type KeyList<Key> = readonly [Key, ...Key[]];

/** Derived from the key, the same in every process, without revealing it. */
export const nameOfKey = (key: Buffer | string): string =>
  createHmac('sha256', key).update('name of the key').digest('hex').slice(0, 12);
