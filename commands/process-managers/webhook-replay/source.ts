import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { AccountId, WebhookId, WebhookReplayId } from '../../../contracts/ids.ts';
import type { SubscribableEventType } from '../../../contracts/webhooks/event-types.ts';
import { fromColumns, type PositionColumns } from '../../../infra/postgres/position-columns.ts';
import type { Position } from '../../../infra/event-store/client/types.ts';

/** Where in the log an event is that its account was told of. */
export interface LoggedEvent {
  /** The envelope's id. */
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly position: Position;
}

export interface EventsRange {
  /** When they happened, ISO 8601: at or after `since` and before `until`. */
  readonly since: string;
  readonly until: string;
  readonly types: readonly SubscribableEventType[];
  /** Places in the log, both exclusive; undefined is its start. */
  readonly after: Position | undefined;
  readonly before: Position;
  readonly limit: number;
}

/** The read models do not hold yet what the log does. */
export class ReadModelBehind extends Error {
  constructor({ commit, prepare }: Position) {
    super(`the read models have not come to ${commit}/${prepare}`);
    this.name = 'ReadModelBehind';
  }
}

/** What a replay asks of the read models. They lag, so that only what was asked after `reach` can be believed. */
export interface ReplaySource {
  /**
   * Resolves once the models hold all that the log has of the account up to the place; rejects with `ReadModelBehind` when
   * that takes long.
   */
  reach(accountId: AccountId, position: Position): Promise<void>;
  /** In the order of the log. */
  eventsOf(accountId: AccountId, range: EventsRange): Promise<readonly LoggedEvent[]>;
  /** Deliveries of the replay that are not over; more than `limit` are not counted. */
  openDeliveries(replayId: WebhookReplayId, limit: number): Promise<number>;
  /** Endpoints with a replay that is not over, the oldest first. */
  running(): Promise<readonly WebhookId[]>;
}

interface EventRow extends PositionColumns {
  readonly id: string;
  readonly stream: string;
  readonly revision: string;
}

/** An event that could not be projected keeps those of its account behind it out of the model. */
const hasReached = `
  select exists (
    select 1 from runtime.checkpoints
    where name = 'read_model' and (commit_position, prepare_position) >= ($2::bigint, $3::bigint)
      and not coalesce(outdated ? 'account_events', false)
  ) and not exists (
    select 1 from runtime.parked
    where schema = 'read_model' and projection = 'account_events' and row_key = $1
      and (commit_position, prepare_position) <= ($2::bigint, $3::bigint)
  ) as reached`;

const eventsOf = `
  select id, stream, revision, commit_position, prepare_position from read_model.account_events
  where account_id = $1 and created_at >= $2 and created_at < $3 and type = any($4)
    and (commit_position, prepare_position) > ($5::bigint, $6::bigint)
    and (commit_position, prepare_position) < ($7::bigint, $8::bigint)
  order by commit_position, prepare_position limit $9`;

const openDeliveries = `
  select count(*)::integer as open from (
    select 1 from read_model.webhook_deliveries
    where replay_id = $1 and status in ('pending', 'retrying') limit $2
  ) as deliveries`;

const running = `select endpoint_id from read_model.webhook_replays where status = 'running' order by created_at`;

/** How often, and how many times, it is looked whether the models are there. */
const lookEveryMs = 20;
const looks = 50;

export const replaySourceIn = (pool: Pick<pg.Pool, 'query'>): ReplaySource => ({
  reach: async (accountId, position) => {
    const values = [accountId, position.commit, position.prepare];
    for (let look = 0; look < looks; look += 1) {
      const { rows } = await pool.query<{ reached: boolean }>(hasReached, values);
      if (rows[0]?.reached === true) return;
      await delay(lookEveryMs);
    }
    throw new ReadModelBehind(position);
  },
  eventsOf: async (accountId, { since, until, types, after, before, limit }) => {
    const places = [after?.commit ?? -1, after?.prepare ?? -1, before.commit, before.prepare];
    const { rows } = await pool.query<EventRow>(eventsOf, [accountId, since, until, types, ...places, limit]);
    return rows.map(({ id, stream, revision, ...columns }) => ({
      id,
      stream,
      revision: BigInt(revision),
      position: fromColumns(columns),
    }));
  },
  openDeliveries: async (replayId, limit) => {
    const { rows } = await pool.query<{ open: number }>(openDeliveries, [replayId, limit]);
    return rows[0]?.open ?? 0;
  },
  running: async () => {
    const { rows } = await pool.query<{ endpoint_id: WebhookId }>(running);
    return rows.map(({ endpoint_id }) => endpoint_id);
  },
});
