import { queryBuilder } from '../../infra/postgres/queries.ts';
import type { RecordRow } from '../engine/record-read-model.ts';
import { ownById, ownList } from './lists.ts';

/** A noun's records, as a list and by id. A deleted one is not there. */
export function recordStatements(name: string) {
  const table: `read_model.${string}` = `read_model.${name}`;
  const db = queryBuilder().withTables<Record<typeof table, RecordRow>>();
  const live = db.selectFrom(table).selectAll().where('status', '=', 'live');
  return { list: ownList(`list-${name}`, live), one: ownById(`get-${name}`, live) };
}
