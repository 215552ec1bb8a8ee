import type { Subscription } from '../../domain/status-subscriber.ts';
import type { StatusComponent } from '../../contracts/status.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { fromColumns, type PositionColumns } from '../../infra/postgres/position-columns.ts';
import { rowsOf, type Queryable } from './tables.ts';

export interface ListedSubscriber extends Pick<Subscription, 'subscriptionId'> {
  /** The uuid of the subscriber's stream. */
  readonly subscriber: string;
}

/** Confirmed subscribers of any of these components, ordered by uuid, after a given one. */
export const subscribersTo = (
  pool: Queryable,
  components: readonly StatusComponent[],
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ListedSubscriber[]> =>
  rowsOf(
    pool,
    `select id as subscriber, state -> 'confirmed' ->> 'subscriptionId' as "subscriptionId"
     from read_model.status_subscribers
     where state -> 'confirmed' <> 'null'::jsonb and id > $1
       and (state -> 'confirmed' -> 'components' = 'null'::jsonb
            or state -> 'confirmed' -> 'components' ?| $2::text[])
     order by id limit $3`,
    [after, components, limit],
  );

/** Position of the read models; undefined if they never started. */
export async function projectedUpTo(pool: Queryable): Promise<Position | undefined> {
  const [row] = await rowsOf<PositionColumns>(
    pool,
    "select commit_position, prepare_position from runtime.checkpoints where name = 'read_model'",
  );
  return row && fromColumns(row);
}

/** Whether the table includes every event up to a position, and is not outdated. */
export async function hasSubscribersUpTo(pool: Queryable, { commit, prepare }: Position): Promise<boolean> {
  const rows = await rowsOf(
    pool,
    `select from runtime.checkpoints
     where name = 'read_model' and (commit_position, prepare_position) >= ($1::bigint, $2::bigint)
       and not coalesce(outdated ? 'status_subscribers', false)`,
    [commit, prepare],
  );
  return rows.length > 0;
}
