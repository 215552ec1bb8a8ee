import { Type, Timestamp, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { subscribableEventTypes } from '../webhooks/event-types.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

const of = { replayId: idSchema('webhookReplay'), webhookId: idSchema('webhook'), at: Timestamp };
const scheduled = Type.Integer({ minimum: 0 });
const entry = entryOn('webhook');

/** A position in the log: `<commit>/<prepare>`. */
const LogPosition = Type.String({ pattern: '^[0-9]{1,20}/[0-9]{1,20}$' });

/**
 * `webhook_replay-<endpoint uuid>`: replays of ranges of the account's events to one endpoint, one replay at a time, in steps.
 */
export const webhookReplayEvents = category(
  'webhook_replay',
  {
    ReplayRequested: closed({
      ...of,
      accountId: idSchema('account'),
      since: Timestamp,
      until: Timestamp,
      /** Null: the endpoint's present subscription. */
      types: nullable(Type.Array(oneOf(subscribableEventTypes))),
    }),
    /** Deliveries are scheduled for every event up to this position; the next step starts after it. */
    ReplayAdvanced: closed({ ...of, upTo: LogPosition, scheduled }),
    ReplayCompleted: closed({ ...of, scheduled }),
    /** Ended early, by its owner or because its endpoint was deleted or disabled. Scheduled deliveries are still sent. */
    ReplayAbandoned: closed({
      ...of,
      scheduled,
      reason: oneOf(['webhook_deleted', 'webhook_disabled', 'cancelled']),
    }),
  },
  {
    audit: {
      ReplayRequested: ({ webhookId: id, replayId: replay, since, until, types }) =>
        entry('webhook_delivery.replayed', id, {
          ...{ via: 'replay_range', replay_id: replay, since, until, types },
        }),
      ReplayAbandoned: (data) =>
        data.reason === 'cancelled'
          ? entry('webhook.replay_cancelled', data.webhookId, {
              replay_id: data.replayId,
              scheduled: data.scheduled,
            })
          : null,
    },
  },
);
export type WebhookReplayEvent = EventOf<typeof webhookReplayEvents>;
