import type { AccountId } from '../contracts/ids.ts';
import type { Cursors, Keyset } from './cursors.ts';

interface PageOptions<Row, Item> {
  readonly route: string;
  readonly accountId: string;
  readonly limit: number;
  readonly cursors: Cursors;
  readonly keysetOf: (row: Row) => Keyset;
  readonly show: (row: Row) => Item;
}

/** A list page from one row more than asked for: that one only says whether there is a next page. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  { route, accountId, limit, cursors, keysetOf, show }: PageOptions<Row, Item>,
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    data: shown.map(show),
    has_more: more,
    next_cursor: more ? cursors.encode(route, accountId, keysetOf(last)) : '',
  };
}

/** Newest first by creation, then id. Without a cursor the page starts after a row that is later than all others. */
export const startOf = (keyset: Keyset | undefined) => ({
  beforeTime: keyset?.[0] ?? 'infinity',
  beforeId: keyset?.[1] ?? '',
});

export const byCreation = (row: { readonly created_at: Date; readonly id: string }): Keyset => [
  row.created_at.toISOString(),
  row.id,
];

export interface ListParameters {
  readonly accountId: AccountId;
  readonly beforeTime: string;
  readonly beforeId: string;
  readonly limit: number;
}
