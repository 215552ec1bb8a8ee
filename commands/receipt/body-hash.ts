import { createHash } from 'node:crypto';

/** SHA-256, hex, of a JSON value whatever the order of its keys: what makes two request bodies the same. */
export const bodyHash = (body: object): string =>
  createHash('sha256').update(JSON.stringify(body, sortedKeys)).digest('hex');

const sortedKeys = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;
