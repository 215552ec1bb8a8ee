import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse } from '../../contracts/problems.ts';
import type { KeyList } from '../../infra/platform/key-list.ts';

/** Where a page ended: the sort key of its last row. */
export type Keyset = readonly string[];

export interface Cursors {
  encode(route: string, accountId: string, keyset: Keyset): string;
  /** `undefined` for an absent or empty cursor: the first page. Refuses one that this route did not give this account. */
  decode(route: string, accountId: string, cursor: string | undefined): Keyset | undefined;
}

const macBytes = 16;

/**
 * Opaque and signed: a cursor works only for the list and the account it was made for, and reveals nothing. @param keys
 * the first signs; a cursor signed by any of them is valid
 */
export function createCursors(keys: KeyList<Buffer>): Cursors {
  const mac = (key: Buffer, route: string, accountId: string, body: string): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify([route, accountId, body]))
      .digest()
      .subarray(0, macBytes);

  return {
    encode(route, accountId, keyset) {
      const body = JSON.stringify(keyset);
      return Buffer.concat([mac(keys[0], route, accountId, body), Buffer.from(body)]).toString('base64url');
    },
    decode(route, accountId, cursor) {
      if (cursor === undefined || cursor === '') return undefined;
      const bytes = Buffer.from(cursor, 'base64url');
      const body = bytes.subarray(macBytes).toString();
      const given = bytes.subarray(0, macBytes);
      const isSignedBy = (key: Buffer) => timingSafeEqual(given, mac(key, route, accountId, body));
      // The decoder ignores invalid characters; a cursor with additions must be refused all the same.
      if (bytes.toString('base64url') !== cursor) throw notOurs();
      if (given.length !== macBytes || !keys.some(isSignedBy)) throw notOurs();
      const keyset: unknown = JSON.parse(body);
      if (!Array.isArray(keyset) || !keyset.every((part) => typeof part === 'string')) throw notOurs();
      return keyset;
    },
  };
}

const notOurs = () =>
  refuse(
    'bad-request',
    'The cursor is not one that this list gave this account. Start again without a cursor, and pass `next_cursor` on as it is.',
  );
