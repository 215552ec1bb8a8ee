import { sql } from 'kysely';
import { queryBuilder } from '../../infra/postgres/queries.ts';
import type { RecordRow } from '../engine/record-read-model.ts';
import { freshStatement, type Statement } from './fresh-statement.ts';
import { newestFirst, pageOf, type ListParameters } from './lists.ts';

interface ListedRecord extends RecordRow {
  /** True if the list has a later row, on this page or on the next. */
  readonly has_next: boolean;
}

/** Stored size of the fields of a page, in bytes, from which on no further record is added to it. */
const fullPageBytes = 4 * 1024 * 1024;

/** The rows before one. `lead` ignores the frame. */
const before = sql`(order by created_at desc, id desc rows between unbounded preceding and 1 preceding)`;

/**
 * The list of a noun's records, without deleted ones. A page ends early once its records have 4 MiB. Large fields are sealed, so that
 * compression makes them no smaller; Postgres has their stored size without reading them.
 */
export function recordList(name: string): Statement<ListParameters, ListedRecord> {
  const table: `read_model.${string}` = `read_model.${name}`;
  const db = queryBuilder().withTables<Record<typeof table, RecordRow>>();
  const live = db.selectFrom(table).selectAll().where('status', '=', 'live');
  return freshStatement<ListParameters, ListedRecord>(
    `list-${name}`,
    (parameter) => {
      const own = live.where(sql<boolean>`account_id = ${parameter('accountId')}`);
      const measured = db
        .selectFrom(pageOf(own, parameter).as('own'))
        .selectAll()
        .select([
          sql<string | null>`sum(pg_column_size(fields)) over ${before}`.as('bytes_before'),
          sql<boolean>`lead(id) over ${before} is not null`.as('has_next'),
        ]);
      return db
        .selectFrom(measured.as('measured'))
        .selectAll()
        .where(sql<boolean>`coalesce(bytes_before, 0) < ${sql.lit(fullPageBytes)}`);
    },
    newestFirst,
  );
}
