import { sql } from 'kysely';
import type pg from 'pg';
import type { AccountId } from '../../contracts/ids.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { fromColumns } from '../../infra/postgres/position-columns.ts';
import { includesUpTo, leastAdvanced, live, loadCheckpoint } from '../engine/checkpoint.ts';
import { freshStatement } from './fresh-statement.ts';
import { db, type Queryable, type Tables } from './tables.ts';

interface FeedParameters {
  readonly accountId: AccountId;
  readonly commit: string;
  readonly prepare: string;
  readonly limit: number;
}

type AccountEventRow = Tables['read_model.account_events'];
export type ListedEvent = Pick<AccountEventRow, 'id' | 'body' | 'commit_position' | 'prepare_position'>;

/** The feed, in the order of the log. */
export const accountEventList = freshStatement<FeedParameters, ListedEvent>(
  'list-events',
  (parameter) =>
    db
      .selectFrom('read_model.account_events')
      .select(['id', 'body', 'commit_position', 'prepare_position'])
      .where('account_id', '=', parameter('accountId'))
      .where(
        sql<boolean>`(commit_position, prepare_position)
            > (${parameter('commit')}::bigint, ${parameter('prepare')}::bigint)`,
      )
      .orderBy('commit_position')
      .orderBy('prepare_position')
      .limit(parameter('limit')),
  { order: 'page.commit_position, page.prepare_position' },
);

export interface TimeRange {
  /** Time of the events, ISO 8601: from `since`, before `until`. */
  readonly since: string;
  readonly until: string;
  readonly types: readonly SubscribableEventType[];
}

interface CountRow {
  readonly matching: number;
  readonly first_at: Date | null;
  readonly last_at: Date | null;
}

export async function countAccountEvents(
  pool: Queryable,
  accountId: AccountId,
  { since, until, types }: TimeRange,
) {
  const { rows } = await pool.query<CountRow>(
    `select count(*)::integer as matching, min(created_at) as first_at, max(created_at) as last_at
     from read_model.account_events
     where account_id = $1 and created_at >= $2 and created_at < $3 and type = any($4)`,
    [accountId, since, until, types],
  );
  const [row] = rows;
  return {
    matching: row?.matching ?? 0,
    firstAt: row?.first_at?.toISOString() ?? null,
    lastAt: row?.last_at?.toISOString() ?? null,
  };
}

export interface LogRange extends TimeRange {
  /** Log positions, both exclusive; undefined is the start. */
  readonly after: Position | undefined;
  readonly before: Position;
  readonly limit: number;
}

type EventRow = Pick<AccountEventRow, 'id' | 'stream' | 'revision' | 'commit_position' | 'prepare_position'>;

/** Log positions of the events, in order. */
export async function accountEventsBetween(
  pool: Queryable,
  accountId: AccountId,
  { since, until, types, after, before, limit }: LogRange,
) {
  const { rows } = await pool.query<EventRow>(
    `select id, stream, revision, commit_position, prepare_position from read_model.account_events
     where account_id = $1 and created_at >= $2 and created_at < $3 and type = any($4)
       and (commit_position, prepare_position) > ($5::bigint, $6::bigint)
       and (commit_position, prepare_position) < ($7::bigint, $8::bigint)
     order by commit_position, prepare_position limit $9`,
    [
      ...[accountId, since, until, types],
      ...[after?.commit ?? -1, after?.prepare ?? -1, before.commit, before.prepare],
      limit,
    ],
  );
  return rows.map(({ id, stream, revision, ...columns }) => ({
    id,
    stream,
    revision: BigInt(revision),
    position: fromColumns(columns),
  }));
}

/** Position up to which the table includes every event, except for accounts with a parked one. */
export async function accountEventsReached(pool: pg.Pool): Promise<Position> {
  const { position, outdated } = await loadCheckpoint(pool, live);
  return leastAdvanced(['account_events'], position, outdated);
}

/**
 * Whether the table includes every event of the account up to the position. A parked event keeps later ones of its account out of
 * the table.
 */
export async function hasAccountEventsUpTo(
  pool: Queryable,
  accountId: AccountId,
  position: Position,
): Promise<boolean> {
  // First, as an event is parked when the checkpoint passes it.
  if (!(await includesUpTo(pool, ['account_events'], position))) return false;
  const { rows } = await pool.query(
    `select from runtime.parked
     where schema = 'read_model' and projection = 'account_events' and row_key = $1
       and (commit_position, prepare_position) <= ($2::bigint, $3::bigint) limit 1`,
    [accountId, position.commit, position.prepare],
  );
  return rows.length === 0;
}
