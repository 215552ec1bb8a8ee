import { sql } from 'kysely';
import type { AccountId } from '../../contracts/ids.ts';
import type { UsageBucket } from '../../contracts/resources/usage.ts';
import type { UsageHour } from '../read-models/usage-fold.ts';
import { freshStatement } from './fresh-statement.ts';
import { db } from './tables.ts';

interface UsageParameters {
  readonly accountId: AccountId;
  readonly bucket: UsageBucket | 'month';
  /** ISO 8601; inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

/** Hours of a bucket together. Times are milliseconds since 1970. */
export type BucketRow = readonly [start: number, started: number, busyMs: number, peak: number];

export interface UsageOfAccount {
  readonly id: AccountId;
  readonly concurrency_override: number | null;
  /** Of the range, without the latest hour of the account. */
  readonly buckets: readonly BucketRow[];
  /** The account's latest hour, inside the range or not: its sessions may still run. */
  readonly latest: UsageHour | null;
}

const milliseconds = (time: string) => sql.raw(`(extract(epoch from ${time}) * 1000)::bigint`);

const latestHour = sql`
  select hour, jsonb_build_object(
    'hour', ${milliseconds('hour')}, 'started', started, 'busyMs', busy, 'peak', peak,
    'countedTo', ${milliseconds('counted_to')}, 'running', running
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
      'account.concurrency_override',
      'latest.body as latest',
      sql<readonly BucketRow[]>`(
        select coalesce(jsonb_agg(jsonb_build_array(${milliseconds('start')}, started, busy, peak)), '[]')
        from (
          select date_trunc(${parameter('bucket')}, hour, 'UTC') as start,
            sum(started) as started, sum(busy) as busy, max(peak) as peak
          from read_model.usage_hours as hours
          where hours.account_id = account.id and hours.hour < latest.hour
            and hours.hour >= ${parameter('from')}::timestamptz and hours.hour < ${parameter('to')}::timestamptz
          group by 1
        ) as bucket
      )`.as('buckets'),
    ]),
);
