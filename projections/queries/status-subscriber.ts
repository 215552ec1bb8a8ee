import type { Subscription } from '../../domain/status-subscriber.ts';
import type { StatusComponent } from '../../contracts/status.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { includesUpTo } from '../engine/checkpoint.ts';
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

/** Whether the table includes every event up to a position, and is not outdated. */
export const hasSubscribersUpTo = (pool: Queryable, position: Position): Promise<boolean> =>
  includesUpTo(pool, ['status_subscribers'], position);
