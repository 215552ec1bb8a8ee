import { sql } from 'kysely';
import type { PositionColumns } from '../../infra/postgres/position-columns.ts';
import { queryBuilder } from '../../infra/postgres/queries.ts';
import { freshStatement } from './fresh-statement.ts';

interface MinuteRow extends PositionColumns {
  /** ISO 8601. */
  readonly id: string;
}

const minutes = queryBuilder()
  .withTables<{ 'read_model.committed_minutes': { readonly minute: string } & PositionColumns }>()
  .selectFrom('read_model.committed_minutes')
  .select(['minute as id', 'commit_position', 'prepare_position'])
  .limit(1);

/** The last full minute up to a time, with the last position committed by then; none before the first event. */
export const committedBy = freshStatement<{ readonly time: string }, MinuteRow>('committed-by', (parameter) =>
  minutes.where('minute', '<=', parameter('time')).orderBy('minute', 'desc'),
);

/** The first minute by which something behind the position was committed; none if nothing was. */
export const supersededBy = freshStatement<{ readonly commit: string; readonly prepare: string }, MinuteRow>(
  'superseded-by',
  (parameter) =>
    minutes
      .where(
        sql<boolean>`(commit_position, prepare_position) > (${parameter('commit')}::bigint, ${parameter('prepare')}::bigint)`,
      )
      .orderBy('commit_position')
      .orderBy('prepare_position'),
);
