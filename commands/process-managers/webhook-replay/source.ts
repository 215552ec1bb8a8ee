import { setTimeout as delay } from 'node:timers/promises';
import type { AccountId, WebhookId, WebhookReplayId } from '../../../contracts/ids.ts';
import type { SubscribableEventType } from '../../../contracts/webhooks/event-types.ts';
import { positionText } from '../../../infra/event-store/client/position.ts';
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
  /** Time of the events, ISO 8601: from `since`, before `until`. */
  readonly since: string;
  readonly until: string;
  readonly types: readonly SubscribableEventType[];
  /** Log positions, both exclusive; undefined is the start. */
  readonly after: Position | undefined;
  readonly before: Position;
  readonly limit: number;
}

/** The read models are behind the log. */
export class ReadModelBehind extends Error {
  constructor(position: Position) {
    super(`the read models are behind ${positionText(position)}`);
    this.name = 'ReadModelBehind';
  }
}

/** Queries of a replay on the read models. They lag: results are complete only after `reach`. */
export interface ReplaySource {
  /**
   * Resolves once the models have every event of the account up to the position; rejects with `ReadModelBehind` if that takes
   * long.
   */
  reach(accountId: AccountId, position: Position): Promise<void>;
  /** In the order of the log. */
  eventsOf(accountId: AccountId, range: EventsRange): Promise<readonly LoggedEvent[]>;
  /** Number of the replays' open deliveries; counts no further than `limit`. */
  openDeliveries(replayIds: readonly WebhookReplayId[], limit: number): Promise<number>;
  /** Endpoints with a running replay, oldest first. */
  running(): Promise<readonly WebhookId[]>;
}

/** The part of it that the read models implement, wired in the composition. */
export interface ReplayReads extends Pick<ReplaySource, 'eventsOf' | 'openDeliveries' | 'running'> {
  /** Whether the models have every event of the account up to the position. */
  hasReached(accountId: AccountId, position: Position): Promise<boolean>;
}

/** Interval and number of polls of the models. */
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
