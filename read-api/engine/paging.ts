import type { AccountId } from '../../contracts/ids.ts';
import type { Reply } from '../../infra/http/index.ts';
import type { Cursors, Keyset } from './cursors.ts';
import type { Read, ReadCall } from './reading.ts';
import type { ListParameters } from '../../projections/queries/lists.ts';
import type { Statement } from '../../projections/queries/fresh-statement.ts';

interface ListCall extends ReadCall {
  readonly query: { readonly limit?: number; readonly cursor?: string };
}

interface Listed {
  readonly id: string;
  /** Of a statement that may return fewer rows than requested: true if more follow. */
  readonly has_next?: boolean;
}

interface Listing<P, Row extends Listed> {
  /** The list of a cursor: its route, and parameters that distinguish lists of the route. */
  readonly list: string;
  readonly statement: Statement<P, Row>;
  /** Parameters of the statement for the rows behind the keyset; an empty one is the first page. */
  readonly after: (keyset: Keyset, account: { readonly accountId: AccountId; readonly limit: number }) => P;
  readonly keysetOf: (row: Row) => Keyset;
  /** May be a promise. */
  readonly show: (row: Row) => unknown;
  /** More fields of the answer, from the shown rows. */
  readonly beside?: (rows: readonly Row[]) => object;
}

/** Answers with pages of lists. */
export const createPages = (read: Read, cursors: Cursors) => {
  /** Reads one row more than requested, which only shows whether there is a next page. */
  const page = async <P, Row extends Listed>(
    call: ListCall,
    { list, statement, after, keysetOf, show, beside }: Listing<P, Row>,
  ): Promise<Reply> => {
    const { accountId } = call.caller;
    const { limit = 50, cursor } = call.query;
    const keyset = cursors.decode(list, accountId, cursor) ?? [];
    const parameters = after(keyset, { accountId, limit: limit + 1 });
    const { rows, freshness } = await read(call, statement, parameters);
    const shown = rows.slice(0, limit);
    const hasMore = rows.length > limit || shown.at(-1)?.has_next === true;
    const last = hasMore ? shown.at(-1) : undefined;
    const body = {
      data: await Promise.all(shown.map(show)),
      has_more: last !== undefined,
      next_cursor: last === undefined ? '' : cursors.encode(list, accountId, keysetOf(last)),
      ...beside?.(shown),
    };
    return { body, ...freshness };
  };

  /** Handles a route that lists an account's resources, newest first. */
  const list = <Row extends Created>(
    route: string,
    statement: Statement<ListParameters, Row>,
    show: (row: Row) => unknown,
  ) => ({
    run: (call: ListCall) =>
      page(call, { list: route, statement, after: newestAfter, keysetOf: createdKeyset, show }),
  });

  return { page, list };
};

export type Pages = ReturnType<typeof createPages>;

interface Created extends Listed {
  readonly created_at: string;
}

export const createdKeyset = ({ created_at, id }: Created): Keyset => [created_at, id];

/** The first page starts behind a row later than all others. */
export const newestAfter: Listing<ListParameters, never>['after'] = (
  [beforeTime = 'infinity', beforeId = ''],
  account,
) => ({ ...account, beforeTime, beforeId });
