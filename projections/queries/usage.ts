import { sql } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import type { UsageBucket } from '../../contracts/resources/usage.ts';
import { setBack as longestSetBack } from '../engine/set-back.ts';
import type { UsageHour } from '../read-models/usage-fold.ts';
import { freshStatement } from './fresh-statement.ts';
import { limitColumns, type LimitRow } from './settings.ts';
import { db } from './tables.ts';

interface UsageParameters {
  readonly accountId: AccountId;
  readonly bucket: UsageBucket | 'month';
  /** ISO 8601; inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

/** The hours of a bucket, summed up. Times are milliseconds since 1970. */
export type BucketRow = readonly [
  start: number,
  started: number,
  busyMs: number,
  peak: number,
  ...agent: readonly [turns: number, inputTokens: number, outputTokens: number, costCents: number],
];

export interface UsageOfAccount extends LimitRow {
  readonly id: AccountId;
  /** Bytes stored for the account's profiles now, including those in the trash. */
  readonly profile_bytes: number;
  /** Buckets of the range, without the account's latest hour. */
  readonly buckets: readonly BucketRow[];
  /** The account's latest hour, inside the range or not: its sessions may still be running. */
  readonly latest: UsageHour | null;
}

const milliseconds = (time: string) => sql.raw(`(extract(epoch from ${time}) * 1000)::bigint`);

const latestHour = sql`
  select hour, jsonb_build_object(
    'hour', ${milliseconds('hour')}, 'started', started, 'busyMs', busy, 'peak', peak,
    'countedTo', ${milliseconds('counted_to')}, 'running', running,
    'agent', jsonb_build_object(
      'turns', agent_turns, 'inputTokens', input_tokens, 'outputTokens', output_tokens, 'costCents', cost_cents
    )
  ) as body
  from read_model.usage_hours as newest
  where newest.account_id = account.id
  order by hour desc limit 1`;

/** An account's usage in a range of whole buckets, summed up by bucket. */
export const usageInRange = freshStatement<UsageParameters, UsageOfAccount>('usage', (parameter) =>
  db
    .selectFrom('read_model.accounts as account')
    .leftJoin(sql<{ hour: string; body: UsageHour }>`lateral (${latestHour})`.as('latest'), (join) =>
      join.onTrue(),
    )
    .where('account.id', '=', parameter('accountId'))
    .select([
      'account.id',
      ...limitColumns,
      'latest.body as latest',
      // Each status has its own index.
      sql<number>`(
        select coalesce(sum(storage_bytes), 0)::double precision from (
          select storage_bytes from read_model.profiles as profile
          where profile.account_id = account.id and profile.status = 'active'
          union all
          select storage_bytes from read_model.profiles as profile
          where profile.account_id = account.id and profile.status = 'trashed'
        ) as stored
      )`.as('profile_bytes'),
      sql<readonly BucketRow[]>`(
        select coalesce(jsonb_agg(jsonb_build_array(
          ${milliseconds('start')}, started, busy, peak, turns, input_tokens, output_tokens, cost_cents
        )), '[]')
        from (
          select date_trunc(${parameter('bucket')}, hour, 'UTC') as start,
            sum(started) as started, sum(busy) as busy, max(peak) as peak, sum(agent_turns) as turns,
            sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens, sum(cost_cents) as cost_cents
          from read_model.usage_hours as hours
          where hours.account_id = account.id and hours.hour < latest.hour
            and hours.hour >= ${parameter('from')}::timestamptz and hours.hour < ${parameter('to')}::timestamptz
          group by 1
        ) as bucket
      )`.as('buckets'),
    ]),
);

/** The change of an account's stored profile bytes in a bucket; the first one includes everything before. */
export type StorageChange = readonly [start: number, bytes: number];

interface StorageOfAccount {
  readonly id: AccountId;
  readonly changes: readonly StorageChange[];
}

const setBack = sql.raw(longestSetBack);

/** The profiles that ever had storage of the account, then null: one look into the index for each, however many rows it has. */
const everStored = sql`
  (
    select profile_id from read_model.profile_storage as stored
    where stored.account_id = account.id order by profile_id limit 1
  )
  union all
  select (
    select profile_id from read_model.profile_storage as stored
    where stored.account_id = account.id and stored.profile_id > own.profile_id order by profile_id limit 1
  )
  from own where own.profile_id is not null`;

/**
 * Changes of the stored bytes of an account's profiles, by bucket of a range. A row is valid until the next one in the log, whose
 * hour is earlier if the clock was set back.
 *
 * Of each profile, the rows of the range are read, with `setBack` on both sides, and the latest row before those, with `setBack` before it: all
 * earlier rows come before that one in the log, so they are no longer valid in the range.
 */
export const storageInRange = freshStatement<UsageParameters, StorageOfAccount>(
  'usage-storage',
  (parameter) =>
    db
      .selectFrom('read_model.accounts as account')
      .where('account.id', '=', parameter('accountId'))
      .select([
        'account.id',
        sql<readonly StorageChange[]>`(
        with recursive own as (${everStored}), held as (
          select stored.account_id, stored.bytes, stored.hour, lead(stored.hour) over (
              partition by stored.profile_id order by stored.commit_position, stored.prepare_position
            ) as until
          from own
          cross join lateral (
            select coalesce(max(earlier.hour), ${parameter('from')}::timestamptz) - ${setBack} as since
            from read_model.profile_storage as earlier
            where earlier.profile_id = own.profile_id
              and earlier.hour < ${parameter('from')}::timestamptz - ${setBack}
          ) as read
          cross join lateral (
            select profile_id, account_id, bytes, hour, commit_position, prepare_position
            from read_model.profile_storage as near
            where near.profile_id = own.profile_id
              and near.hour >= read.since and near.hour < ${parameter('to')}::timestamptz + ${setBack}
            -- Keeps Postgres from joining the whole table.
            offset 0
          ) as stored
        ), changes as (
          select hour, bytes from held where held.account_id = account.id
          union all
          select greatest(hour, until), -bytes from held where held.account_id = account.id and until is not null
        ), by_bucket as (
          select greatest(
            date_trunc(${parameter('bucket')}, hour, 'UTC'), ${parameter('from')}::timestamptz
          ) as start, sum(bytes)::double precision as bytes
          from changes where hour < ${parameter('to')}::timestamptz group by 1
        )
        select coalesce(jsonb_agg(jsonb_build_array(${milliseconds('start')}, bytes)), '[]') from by_bucket
      )`.as('changes'),
      ]),
);
