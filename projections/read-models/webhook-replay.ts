import { webhookReplayEvents } from '../../contracts/events/webhook-replay.ts';
import { readModel } from '../engine/read-model.ts';
import { column, optionalJsonOf, textOf } from '../engine/table.ts';
import type { AccountId, WebhookId, WebhookReplayId } from '../../contracts/ids.ts';
import type { WebhookReplay } from '../../contracts/resources/webhook-replay.ts';
import type { SubscribableEventType } from '../../contracts/webhooks/event-types.ts';

/** Every replay of a range of events, with its progress. Replays to one endpoint share a stream. */
export const webhookReplays = readModel('webhook_replays', {
  of: webhookReplayEvents,
  id: ({ data }) => data.replayId,
  columns: {
    id: textOf<WebhookReplayId>(),
    account_id: textOf<AccountId>(),
    endpoint_id: textOf<WebhookId>(),
    status: textOf<WebhookReplay['status']>(),
    since: column.time,
    until: column.time,
    /** Null: the endpoint's subscription. */
    types: optionalJsonOf<SubscribableEventType[]>(),
    /** Deliveries scheduled so far. */
    scheduled: column.integer,
    created_at: column.time,
    completed_at: column.optionalTime,
  },
  handlers: 1,
  creates: {
    ReplayRequested: ({ data }) => ({
      id: data.replayId,
      account_id: data.accountId,
      endpoint_id: data.webhookId,
      status: 'running' as const,
      since: data.since,
      until: data.until,
      types: data.types,
      scheduled: 0,
      created_at: data.at,
      completed_at: null,
    }),
  },
  changes: {
    ReplayAdvanced: ({ data: { scheduled } }) => ({ scheduled }),
    ReplayCompleted: ({ data: { scheduled, at } }) => ({
      status: 'completed' as const,
      scheduled,
      completed_at: at,
    }),
    ReplayAbandoned: ({ data: { scheduled } }) => ({ status: 'abandoned' as const, scheduled }),
  },
});
