import { idSchema } from '../ids.ts';
import { Timestamp, Type, closed, nullable, oneOf } from '../schema.ts';
import { statusComponentIds } from '../status.ts';
import { category, type EventOf } from './catalogue.ts';

/** One request for notifications of incidents. Has a data key of its own, from which the tokens in its mails derive. */
const subscriptionId = idSchema('statusSubscription');

/** The field under which a subscription's data key seals the address. */
export const subscriberEmail = 'email';

/**
 * `status_subscriber-<uuid>`: one mail address that requested notifications of incidents; the uuid is a keyed hash of the
 * address. The data key of a superseded, replaced or ended request is destroyed.
 */
export const statusSubscriberEvents = category('status_subscriber', {
  SubscriptionRequested: closed({
    subscriptionId,
    sealedEmail: Type.String(),
    /** Null: all components, future ones included. */
    components: nullable(Type.Array(oneOf(statusComponentIds), { minItems: 1, uniqueItems: true })),
    /** The previous, unconfirmed request. */
    supersedes: nullable(subscriptionId),
    /** When the mailed link expires. */
    expiresAt: Timestamp,
    at: Timestamp,
  }),
  SubscriptionConfirmed: closed({
    subscriptionId,
    /** The previous confirmed subscription. */
    replaces: nullable(subscriptionId),
    at: Timestamp,
  }),
  SubscriptionEnded: closed({
    /** The confirmed and the pending subscription, if any. */
    subscriptionIds: Type.Array(subscriptionId, { minItems: 1 }),
    at: Timestamp,
  }),
});
export type StatusSubscriberEvent = EventOf<typeof statusSubscriberEvents>;
