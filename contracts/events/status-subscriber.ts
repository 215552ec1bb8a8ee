import { idSchema } from '../ids.ts';
import { Timestamp, Type, closed, nullable, oneOf } from '../schema.ts';
import { statusComponentIds } from '../status.ts';
import { category, type EventOf } from './catalogue.ts';

/**
 * One request to be notified of incidents. It has a data key of its own, and the tokens in its mails derive from it.
 */
const subscriptionId = idSchema('statusSubscription');

/** The field under which a subscription's data key seals the address. */
export const subscriberEmail = 'email';

/**
 * `status_subscriber-<uuid>`: one mail address that requested notifications of incidents; the uuid is the address's
 * under the pepper. The data key of a superseded, replaced or ended request is destroyed.
 */
export const statusSubscriberEvents = category('status_subscriber', {
  SubscriptionRequested: closed({
    subscriptionId,
    sealedEmail: Type.String(),
    /** Null: all of them, those to come included. */
    components: nullable(Type.Array(oneOf(statusComponentIds), { minItems: 1, uniqueItems: true })),
    /** The request before it that was not confirmed. */
    supersedes: nullable(subscriptionId),
    /** When the link of the mail stops working. */
    expiresAt: Timestamp,
    at: Timestamp,
  }),
  SubscriptionConfirmed: closed({
    subscriptionId,
    /** The subscription that was in force until now. */
    replaces: nullable(subscriptionId),
    at: Timestamp,
  }),
  SubscriptionEnded: closed({
    /** That in force and the one that waits to be confirmed, as far as there are. */
    subscriptionIds: Type.Array(subscriptionId, { minItems: 1 }),
    at: Timestamp,
  }),
});
export type StatusSubscriberEvent = EventOf<typeof statusSubscriberEvents>;
