import { queryBuilder } from '../../infra/postgres/queries.ts';
import type { ReadModel } from '../engine/read-model.ts';
import type { Columns, RowOf } from '../engine/table.ts';
import type { Statement } from './fresh-statement.ts';
import { ownById, type OneParameters } from './lists.ts';

type RowWithId<C extends Columns> = RowOf<C> & { readonly id: string };

/** One of the account's resources by id, in any state. */
export function rowById<C extends Columns>({
  table: { name, columns },
}: ReadModel<C>): Statement<OneParameters, RowWithId<C>> {
  const table: `read_model.${string}` = `read_model.${name}`;
  const db = queryBuilder().withTables<Record<typeof table, { readonly id: string }>>();
  // Selects columns by name, so that it fails on a table of another version. Kysely cannot type them for a type parameter.
  const rows = db.selectFrom(table).select(Object.keys(columns) as 'id'[]);
  return ownById(`row-of-${name}`, rows) as Statement<OneParameters, RowWithId<C>>;
}
