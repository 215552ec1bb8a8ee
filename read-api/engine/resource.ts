import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { origin } from '../../infra/event-store/client/position.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { RequestFacts } from '../../infra/http/index.ts';
import { asStored, foldOf, type RowFold } from '../../projections/engine/past.ts';
import type { Projection } from '../../projections/engine/projection.ts';
import type { ReadModel } from '../../projections/engine/read-model.ts';
import type { StateReadModel, StateRow } from '../../projections/engine/state-read-model.ts';
import type { Columns, RowOf } from '../../projections/engine/table.ts';
import type { Statement } from '../../projections/queries/fresh-statement.ts';
import type { OneParameters } from '../../projections/queries/lists.ts';
import { stateStatement } from '../../projections/queries/settings.ts';
import type { Reader } from './credentials.ts';
import { notFound, type Freshness, type Read } from './reading.ts';

/** Who asks, and about what. */
export interface Asked<Caller = Reader, Params = object> {
  readonly caller: Caller;
  readonly params: Params;
  readonly request: RequestFacts;
}
export type OfId<Caller = Reader> = Asked<Caller, { readonly id: string }>;

/** A resource as it is now, whatever its state is. */
export interface Found<Row> {
  readonly row: Row;
  /** Its streams in the log, its own first. */
  readonly streams: readonly string[];
  readonly freshness: Freshness;
  /** A position that the read models have reached, or that is in the log. */
  readonly seen: Position;
  /** True for a stale read. */
  readonly stale: boolean;
}

type Body = object | undefined;

/**
 * All that a resource's detail route, its past and its history need. The fold is that of its read model, and `show` is what the live
 * route answers with, so that a past is shown as it was.
 */
export interface Resource<Row, Of extends Asked<unknown>> {
  /** Looks it up for a caller who may read it now. Refuses `not-found`, also once it was purged. */
  readonly find: (asked: Of) => Promise<Found<Row>>;
  readonly fold: RowFold<Row>;
  /** A folded row as a query gives it, sealed texts still sealed. */
  readonly stored: (folded: Row, found: Found<Row>) => Row;
  /** The body at a time; undefined where the resource is not there: deleted, in the trash, not begun. */
  readonly show: (row: Row, at: Date) => Body | Promise<Body>;
}

type WithId<Row> = Row & { readonly id: string };

interface OwnResource<C extends Columns, Row> {
  readonly model: ReadModel<C>;
  readonly idOf: (text: string) => string;
  /** Of the rows in whatever state, with what the log does not have beside them. */
  readonly statement: Statement<OneParameters, WithId<Row>>;
  /** True for what has no past any more. */
  readonly isPurged?: (row: Row) => boolean;
  readonly show: Resource<Row, OfId>['show'];
}

/** A resource of an account, named by the id in the path. */
export const ownResource = <C extends Columns, Row extends RowOf<C>>(
  read: Read,
  { model, idOf, statement, isPurged, show }: OwnResource<C, Row>,
): Resource<Row, OfId> => ({
  async find(asked) {
    const id = idOf(asked.params.id);
    const { accountId } = asked.caller;
    const { rows, freshness, stale } = await read(asked, statement, { accountId, id });
    const [row] = rows;
    if (row === undefined) throw notFound(stale);
    if (isPurged?.(row)) throw refuse('not-found');
    return { row, streams: streamsOf(model, id), ...seenIn(freshness), stale };
  },
  // A folded row has the columns of the model alone; `stored` adds the others.
  fold: foldOf(model) as unknown as RowFold<Row>,
  stored: (folded, found) => ({ ...found.row, ...asStored(model.table, folded) }),
  show,
});

const seenIn = (freshness: Freshness) => ({ freshness, seen: freshness.position ?? origin });

const streamsOf = ({ categories }: Projection, id: string): string[] =>
  categories.map((category) => `${category}-${uuidOf(id)}`);

/** What an account has one of: it is there, with its defaults, from the account's beginning on. */
export function accountResource<State>(
  read: Read,
  model: StateReadModel<State>,
  show: (state: State, accountId: AccountId) => object | Promise<object>,
): Resource<StateRow, Asked> {
  const statement = stateStatement(model);
  const initial = (accountId: string): StateRow => ({ id: accountId, state: model.stateOf(undefined) });
  const fold = foldOf(model);
  return {
    async find(asked) {
      const { accountId } = asked.caller;
      const { rows, freshness, stale } = await read(asked, statement, { accountId });
      const streams = [...streamsOf(model, accountId), `account-${uuidOf(accountId)}`];
      return { row: rows[0] ?? initial(accountId), streams, ...seenIn(freshness), stale };
    },
    fold: (row, event) => (event.type === 'AccountCreated' ? initialOf(event.data) : fold(row, event)),
    stored: (folded) => asStored(model.table, folded),
    show: (row) => show(model.stateOf(row), row.id as AccountId),
  };

  function initialOf(data: unknown): StateRow {
    return initial((data as { readonly accountId: AccountId }).accountId);
  }
}
