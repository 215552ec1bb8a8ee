import { accountEvents } from '../../contracts/events/account.ts';
import { streamOf } from '../../contracts/events/catalogue.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { origin } from '../../infra/event-store/client/position.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { RequestFacts } from '../../infra/http/index.ts';
import { asQueried, foldOf, type RowFold } from '../../projections/engine/past.ts';
import type { Projection } from '../../projections/engine/projection.ts';
import type { ReadModel } from '../../projections/engine/read-model.ts';
import type { StateReadModel, StateRow } from '../../projections/engine/state-read-model.ts';
import type { Columns, RowOf } from '../../projections/engine/table.ts';
import type { Statement } from '../../projections/queries/fresh-statement.ts';
import type { OneParameters } from '../../projections/queries/lists.ts';
import { stateStatement } from '../../projections/queries/settings.ts';
import type { Reader } from './credentials.ts';
import { notFound, type Freshness, type Read } from './reading.ts';

/** The caller and the subject of a read. */
export interface Asked<Caller = Reader, Params = object> {
  readonly caller: Caller;
  readonly params: Params;
  readonly request: RequestFacts;
}
export type OfId<Caller = Reader> = Asked<Caller, { readonly id: string }>;

/** A resource's present row, in any state. */
export interface Found<Row> {
  readonly row: Row;
  /** Its streams in the log, its own first. */
  readonly streams: readonly string[];
  readonly freshness: Freshness;
  /** A position in the log, or reached by the read models. */
  readonly seen: Position;
  /** True for a stale read. */
  readonly stale: boolean;
}

type Body = object | undefined;

/**
 * What a resource's detail route, past and history need. The fold is its read model's, and `show` is the live route's, so that a
 * past is shown as it was.
 */
export interface Resource<Row, Of extends Asked<unknown>> {
  /** Looks it up for a caller who may read it now. Throws `not-found`, also after a purge. */
  readonly find: (asked: Of) => Promise<Found<Row>>;
  readonly fold: RowFold<Row>;
  /** A folded row in the form of a query's result, with sealed fields. */
  readonly stored: (folded: Row, found: Found<Row>) => Row;
  /** The body at a time; undefined if the resource did not exist: deleted, in the trash, not created yet. */
  readonly show: (row: Row, at: Date) => Body | Promise<Body>;
}

type WithId<Row> = Row & { readonly id: string };

interface OwnResource<C extends Columns, Row> {
  readonly model: ReadModel<C>;
  readonly idOf: (text: string) => string;
  /** Selects rows in any state, with columns that the log does not have. */
  readonly statement: Statement<OneParameters, WithId<Row>>;
  /** True if its past is purged too. */
  readonly isPurged?: (row: Row) => boolean;
  readonly show: Resource<Row, OfId>['show'];
}

/** An account's resource, named by the path's id. */
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
  // A folded row has only the model's columns; `stored` adds the others.
  fold: foldOf(model) as unknown as RowFold<Row>,
  stored: (folded, found) => ({ ...found.row, ...asQueried(model.table, folded) }),
  show,
});

const seenIn = (freshness: Freshness) => ({ freshness, seen: freshness.position ?? origin });

const streamsOf = ({ categories }: Projection, id: string): string[] =>
  categories.map((category) => `${category}-${uuidOf(id)}`);

/** A resource that every account has one of, with defaults, from the account's creation on. */
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
      const streams = [...streamsOf(model, accountId), streamOf(accountEvents, uuidOf(accountId))];
      return { row: rows[0] ?? initial(accountId), streams, ...seenIn(freshness), stale };
    },
    fold: (row, event) => (event.type === 'AccountCreated' ? initialOf(event.data) : fold(row, event)),
    stored: (folded) => asQueried(model.table, folded),
    show: (row) => show(model.stateOf(row), row.id as AccountId),
  };

  function initialOf(data: unknown): StateRow {
    return initial((data as { readonly accountId: AccountId }).accountId);
  }
}
