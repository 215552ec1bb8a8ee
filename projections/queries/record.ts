import { queryBuilder } from '../../infra/postgres/queries.ts';
import type { RecordRow } from '../engine/record-read-model.ts';
import { ownList } from './lists.ts';

/** The list of a noun's records, without deleted ones. */
export function recordList(name: string) {
  const table: `read_model.${string}` = `read_model.${name}`;
  const db = queryBuilder().withTables<Record<typeof table, RecordRow>>();
  const live = db.selectFrom(table).selectAll().where('status', '=', 'live');
  return ownList(`list-${name}`, live);
}
