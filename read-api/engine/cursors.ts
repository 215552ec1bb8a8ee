import { createHmac, timingSafeEqual } from 'node:crypto';
import { refuse } from '../../contracts/problems.ts';
import type { KeyList } from '../../infra/platform/key-list.ts';

/** Position behind a page: the sort key of its last row. */
export type Keyset = readonly string[];

export interface Cursors {
  encode(route: string, accountId: string, keyset: Keyset): string;
  /** Undefined for an absent or empty cursor: the first page. Refuses a cursor not issued by this route to this account. */
  decode(route: string, accountId: string, cursor: string | undefined): Keyset | undefined;
}

const macBytes = 16;

/**
 * Opaque, signed cursors, each valid only for one list and account, and revealing nothing.
 *
 * @param keys the first signs; a cursor signed by any of them is valid
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
      // The decoder ignores invalid characters; a cursor with any is refused nevertheless.
      if (bytes.toString('base64url') !== cursor) throw foreignCursor();
      if (given.length !== macBytes || !keys.some(isSignedBy)) throw foreignCursor();
      const keyset: unknown = JSON.parse(body);
      if (!Array.isArray(keyset) || !keyset.every((part) => typeof part === 'string')) throw foreignCursor();
      return keyset;
    },
  };
}

/** The refusal of a cursor, or a position, that is not from the list. */
export const foreignCursor = () =>
  refuse(
    'bad-request',
    'The cursor is not one that this list gave this account. Start again without a cursor, and pass `next_cursor` on as it is.',
  );
