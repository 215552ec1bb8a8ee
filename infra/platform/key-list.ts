import { createHmac } from 'node:crypto';

/** Keys of one kind while one follows another: the first is used for what is new, all of them are accepted. */
export type KeyList<Key> = readonly [Key, ...Key[]];

/** Follows from the key, so that two processes can't mean different keys by it, and gives nothing of it away. */
export const nameOfKey = (key: Buffer | string): string =>
  createHmac('sha256', key).update('name of the key').digest('hex').slice(0, 12);
