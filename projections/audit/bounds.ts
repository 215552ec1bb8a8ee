import type { Schema } from '../engine/table.ts';

/**
 * SQL, to follow `with recursive asked (account_id, at) as (…),`: the sequence of an entry that is not before that time although its
 * predecessor is; one more than the last sequence if the last entry is before it. No row for no time.
 *
 * An account's sequence has no gaps, and its times rise except where clocks were set back. So it is searched by halves, one look into the key of
 * the table each: some twenty in a log of a million entries, and no index that every entry would have to be added to.
 */
export const firstSince = (schema: Schema): string => `
  search (low, high) as (
    select 1, 1 + coalesce((
      select sequence from ${schema}.audit_log as last where last.account_id = asked.account_id order by sequence desc limit 1
    ), 0)
    from asked where asked.at is not null
    union all
    select case when is_earlier then middle + 1 else low end, case when is_earlier then high else middle end
    from (
      select low, high, middle, (
        select created_at < asked.at from ${schema}.audit_log as probed
        where probed.account_id = asked.account_id and probed.sequence = middle
      ) as is_earlier
      from asked, (select low, high, low + (high - low) / 2 as middle from search where low < high) as halves
      -- Keeps Postgres from looking twice.
      offset 0
    ) as looked
  )
  select low from search where low = high`;
