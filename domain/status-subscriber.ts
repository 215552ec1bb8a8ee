import { statusSubscriberEvents, type StatusSubscriberEvent } from '../contracts/events/status-subscriber.ts';
import type { StatusSubscriptionId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { StatusComponent } from '../contracts/status.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';
import { isBefore } from './kit/time.ts';

export interface Subscription {
  readonly subscriptionId: StatusSubscriptionId;
  readonly sealedEmail: string;
  /** Null: all of them. */
  readonly components: readonly StatusComponent[] | null;
}

interface PendingSubscription extends Subscription {
  readonly expiresAt: string;
}

/**
 * One address. A request has no effect until its mailed link is opened: the sender need not own the address.
 *
 * | has        | RequestSubscription      | ConfirmSubscription     | EndSubscription |
 * | ---------- | ------------------------ | ----------------------- | --------------- |
 * | nothing    | pending                  | invalid-auth-token      | –               |
 * | pending    | pending, the old one void | confirmed              | nothing         |
 * | confirmed  | – if it asks for the same, else pending beside it | – if it is that one | nothing |
 *
 * Unsubscribe links work in all mails, without a time limit. Of the links to confirm, only the latest works.
 */
export interface StatusSubscriber {
  readonly confirmed: Subscription | null;
  readonly pending: PendingSubscription | null;
  /** The latest superseded, replaced or ended subscriptions. Unsubscribe links in their mails still work. */
  readonly earlier: readonly StatusSubscriptionId[];
}

export type StatusSubscriberCommand = CommandsOf<{
  RequestSubscription: Omit<DataOf<StatusSubscriberEvent, 'SubscriptionRequested'>, 'supersedes' | 'at'>;
  ConfirmSubscription: { subscriptionId: StatusSubscriptionId };
  EndSubscription: { subscriptionId: StatusSubscriptionId };
}>;

const isSame = (one: Subscription['components'], other: Subscription['components']): boolean =>
  JSON.stringify(one && [...one].sort()) === JSON.stringify(other && [...other].sort());

/** True if the confirmed subscription already has these components. */
export const isInForce = ({ confirmed }: StatusSubscriber, components: Subscription['components']): boolean =>
  confirmed !== null && isSame(confirmed.components, components);

const rules: Rules<StatusSubscriber, StatusSubscriberCommand, StatusSubscriberEvent> = {
  RequestSubscription(state, { type: _, ...data }) {
    if (isInForce(state, data.components)) return [];
    const supersedes = state.pending?.subscriptionId ?? null;
    return [{ type: 'SubscriptionRequested', data: { ...data, supersedes } }];
  },
  ConfirmSubscription({ confirmed, pending }, { subscriptionId, at }) {
    if (confirmed?.subscriptionId === subscriptionId) return [];
    if (pending?.subscriptionId !== subscriptionId || !isBefore(at, pending.expiresAt))
      throw refuse('invalid-auth-token');
    const replaces = confirmed?.subscriptionId ?? null;
    return [{ type: 'SubscriptionConfirmed', data: { subscriptionId, replaces, at } }];
  },
  EndSubscription(state, { subscriptionId, at }) {
    if (!knownIds(state).includes(subscriptionId)) throw refuse('invalid-auth-token');
    const subscriptionIds = currentIds(state);
    return subscriptionIds.length === 0 ? [] : [{ type: 'SubscriptionEnded', data: { subscriptionIds, at } }];
  },
};

const currentIds = ({ confirmed, pending }: StatusSubscriber): StatusSubscriptionId[] =>
  [confirmed, pending].flatMap((each) => (each === null ? [] : [each.subscriptionId]));

/** Ids of the subscriptions whose links still work. */
export const knownIds = (state: StatusSubscriber): readonly StatusSubscriptionId[] => [
  ...currentIds(state),
  ...state.earlier,
];

export const statusSubscriber: Decider<StatusSubscriber, StatusSubscriberCommand, StatusSubscriberEvent> = {
  category: statusSubscriberEvents,
  initialState: { confirmed: null, pending: null, earlier: [] },
  decide: decideBy(rules),
  evolve,
};

const mostEarlier = 50;

const withEarlier = (
  { earlier }: StatusSubscriber,
  more: readonly (StatusSubscriptionId | null)[],
): readonly StatusSubscriptionId[] => [...earlier, ...more.filter((id) => id !== null)].slice(-mostEarlier);

function evolve(state: StatusSubscriber, { type, data }: StatusSubscriberEvent): StatusSubscriber {
  switch (type) {
    case 'SubscriptionRequested': {
      const { subscriptionId, sealedEmail, components, expiresAt } = data;
      const pending = { subscriptionId, sealedEmail, components, expiresAt };
      return { ...state, pending, earlier: withEarlier(state, [data.supersedes]) };
    }
    case 'SubscriptionConfirmed': {
      if (state.pending?.subscriptionId !== data.subscriptionId) return state;
      const { expiresAt: _, ...confirmed } = state.pending;
      return { confirmed, pending: null, earlier: withEarlier(state, [data.replaces]) };
    }
    case 'SubscriptionEnded':
      return { confirmed: null, pending: null, earlier: withEarlier(state, data.subscriptionIds) };
  }
}
