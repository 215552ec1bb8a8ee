import type { WebhookDeliveryId } from '../../../contracts/ids.ts';

/** A place among the open deliveries, by the time their next attempt is due. */
export interface Place {
  readonly next_attempt_at: Date;
  readonly id: string;
}

export interface DueDelivery extends Place {
  readonly id: WebhookDeliveryId;
  readonly attempt_count: number;
}

/** Deliveries that are not over, as far as the read models know. */
export interface OpenDeliveries {
  /** Those behind the place that are due by then, the longest due first. */
  due(by: Date, after: Place, limit: number): Promise<readonly DueDelivery[]>;
  /** Some of those whose endpoint was deleted or disabled since then. */
  ofGone(since: Date, limit: number): Promise<readonly WebhookDeliveryId[]>;
}
