import type { RequestFacts } from '../../infra/http/index.ts';
import type { Reader } from './credentials.ts';
import type { Cursors, Keyset } from './cursors.ts';
import type { Read } from './reading.ts';
import type { ListParameters } from '../../projections/queries/lists.ts';
import type { Statement } from '../../projections/queries/fresh-statement.ts';

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

interface Created {
  readonly created_at: Date;
  readonly id: string;
}

interface ListOptions<Row extends Created, Item> {
  readonly route: string;
  readonly read: Read;
  readonly cursors: Cursors;
  readonly list: Statement<ListParameters, Row>;
  readonly show: (row: Row) => Item;
}

interface ListCall {
  readonly caller: Reader;
  readonly request: RequestFacts;
  readonly query: { readonly limit?: number; readonly cursor?: string };
}

/** Serves a page of what an account has, newest first. Without a cursor it starts after a row later than all others. */
export const listPage =
  <Row extends Created, Item>({ route, read, cursors, list, show }: ListOptions<Row, Item>) =>
  async (call: ListCall) => {
    const { accountId } = call.caller;
    const { limit = 50, cursor } = call.query;
    const [beforeTime = 'infinity', beforeId = ''] = cursors.decode(route, accountId, cursor) ?? [];
    const parameters = { accountId, beforeTime, beforeId, limit: limit + 1 };
    const { rows, freshness } = await read(call, list, parameters);
    return { body: pageOf(rows, { route, accountId, limit, cursors, keysetOf, show }), ...freshness };
  };

export const keysetOf = ({ created_at, id }: Created): Keyset => [created_at.toISOString(), id];
