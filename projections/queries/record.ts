import type { AccountId } from '../../contracts/ids.ts';
import { queryBuilder } from '../../infra/postgres/queries.ts';
import type { ReadRecordRow } from '../engine/record-read-model.ts';
import { freshStatement } from './fresh-statement.ts';
import { afterCursor, newestFirst, type ListParameters } from './lists.ts';

/** A noun's records, as a list and by id. A deleted one is not there. */
export function recordStatements(name: string) {
  const table: `read_model.${string}` = `read_model.${name}`;
  const db = queryBuilder().withTables<Record<typeof table, ReadRecordRow>>();
  const live = db.selectFrom(table).selectAll().where('status', '=', 'live');
  const list = freshStatement<ListParameters, ReadRecordRow>(
    `list-${name}`,
    (parameter) =>
      live
        .where('account_id', '=', parameter('accountId'))
        .where(afterCursor(parameter))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(parameter('limit')),
    newestFirst,
  );
  const one = freshStatement<{ readonly accountId: AccountId; readonly id: string }, ReadRecordRow>(
    `get-${name}`,
    (parameter) => live.where('id', '=', parameter('id')).where('account_id', '=', parameter('accountId')),
  );
  return { list, one };
}
