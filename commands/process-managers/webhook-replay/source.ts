import { setTimeout as delay } from 'node:timers/promises';
import type { AccountId, WebhookId, WebhookReplayId } from '../../../contracts/ids.ts';
import type { SubscribableEventType } from '../../../contracts/webhooks/event-types.ts';
import type { Position } from '../../../infra/event-store/client/types.ts';

/** Log position of an announced event. */
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

/** The read models are behind the log. */
export class ReadModelBehind extends Error {
  constructor({ commit, prepare }: Position) {
    super(`the read models have not come to ${commit}/${prepare}`);
    this.name = 'ReadModelBehind';
  }
}

/** Queries of a replay on the read models. They lag: results are complete only after `reach`. */
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

/** The read models' side of it, wired where the process is composed. */
export interface ReplayReads extends Pick<ReplaySource, 'eventsOf' | 'openDeliveries' | 'running'> {
  /** Whether the models hold all that the log has of the account up to the position. */
  hasReached(accountId: AccountId, position: Position): Promise<boolean>;
}

/** How often, and how many times, it is looked whether the models are there. */
const lookEveryMs = 20;
const looks = 50;

export const replaySource = ({ hasReached, ...reads }: ReplayReads): ReplaySource => ({
  ...reads,
  reach: async (accountId, position) => {
    for (let look = 0; look < looks; look += 1) {
      if (await hasReached(accountId, position)) return;
      await delay(lookEveryMs);
    }
    throw new ReadModelBehind(position);
  },
});
