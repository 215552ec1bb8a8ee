import { Type, Timestamp, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { subscribableEventTypes } from '../webhooks/event-types.ts';
import { category, type EventOf } from './catalogue.ts';

const replayId = idSchema('webhookReplay');
const webhookId = idSchema('webhook');
const accountId = idSchema('account');
const scheduled = Type.Integer({ minimum: 0 });

/** A place in the log: `<commit>/<prepare>`. */
const LogPlace = Type.String({ pattern: '^[0-9]{1,20}/[0-9]{1,20}$' });

/**
 * `webhook_replay-<endpoint uuid>`: ranges of the account's events on their way to one endpoint again, step by step and one
 * range after the other.
 */
export const webhookReplayEvents = category(
  'webhook_replay',
  {
    ReplayRequested: closed({
      replayId,
      webhookId,
      accountId,
      since: Timestamp,
      until: Timestamp,
      /** Null: whatever the endpoint subscribes to now. */
      types: nullable(Type.Array(oneOf(subscribableEventTypes))),
      at: Timestamp,
    }),
    /** Deliveries are scheduled for everything up to this place; the next step begins after it. */
    ReplayAdvanced: closed({ replayId, webhookId, upTo: LogPlace, scheduled, at: Timestamp }),
    ReplayCompleted: closed({ replayId, webhookId, scheduled, at: Timestamp }),
    /** Its endpoint went before it was through, or its owner wanted no more of it. What is scheduled is sent. */
    ReplayAbandoned: closed({
      replayId,
      webhookId,
      scheduled,
      reason: oneOf(['webhook_deleted', 'webhook_disabled', 'cancelled']),
      at: Timestamp,
    }),
  },
  {
    audit: {
      ReplayRequested: (data) => ({
        action: 'webhook_delivery.replayed',
        target: { type: 'webhook', id: data.webhookId },
        payload: {
          via: 'replay_range',
          replay_id: data.replayId,
          since: data.since,
          until: data.until,
          types: data.types,
        },
      }),
      ReplayAbandoned: (data) =>
        data.reason === 'cancelled'
          ? {
              action: 'webhook.replay_cancelled',
              target: { type: 'webhook', id: data.webhookId },
              payload: { replay_id: data.replayId, scheduled: data.scheduled },
            }
          : null,
    },
  },
);
export type WebhookReplayEvent = EventOf<typeof webhookReplayEvents>;
