import { statusSubscriberEvents, type StatusSubscriberEvent } from '../contracts/events/status-subscriber.ts';
import type { SubscriptionId } from '../contracts/ids.ts';
import { refuse } from '../contracts/problems.ts';
import type { StatusComponent } from '../contracts/status.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';

export interface Subscription {
  readonly subscriptionId: SubscriptionId;
  readonly sealedEmail: string;
  /** Null: all of them. */
  readonly components: readonly StatusComponent[] | null;
}

interface PendingSubscription extends Subscription {
  readonly expiresAt: string;
}

/**
 * One address. A request changes nothing until the link that was mailed for it is opened: somebody else may have made it.
 *
 * | has        | RequestSubscription      | ConfirmSubscription     | EndSubscription |
 * | ---------- | ------------------------ | ----------------------- | --------------- |
 * | nothing    | pending                  | invalid-auth-token      | –               |
 * | pending    | pending, the old one void | confirmed              | nothing         |
 * | confirmed  | – if it asks for the same, else pending beside it | – if it is that one | nothing |
 *
 * A subscription that has ended can be ended again, and not be confirmed again.
 */
export interface StatusSubscriber {
  readonly confirmed: Subscription | null;
  readonly pending: PendingSubscription | null;
  /** Those that ended last. */
  readonly ended: readonly SubscriptionId[];
}

export type StatusSubscriberCommand = CommandsOf<{
  RequestSubscription: Omit<DataOf<StatusSubscriberEvent, 'SubscriptionRequested'>, 'supersedes' | 'at'>;
  ConfirmSubscription: { subscriptionId: SubscriptionId };
  EndSubscription: { subscriptionId: SubscriptionId };
}>;

const isSame = (one: Subscription['components'], other: Subscription['components']): boolean =>
  JSON.stringify(one && [...one].sort()) === JSON.stringify(other && [...other].sort());

const rules: Rules<StatusSubscriber, StatusSubscriberCommand, StatusSubscriberEvent> = {
  RequestSubscription({ confirmed, pending }, { type: _, ...data }) {
    if (confirmed !== null && isSame(confirmed.components, data.components)) return [];
    const supersedes = pending?.subscriptionId ?? null;
    return [{ type: 'SubscriptionRequested', data: { ...data, supersedes } }];
  },
  ConfirmSubscription({ confirmed, pending }, { subscriptionId, at }) {
    if (confirmed?.subscriptionId === subscriptionId) return [];
    if (pending?.subscriptionId !== subscriptionId || Date.parse(pending.expiresAt) <= Date.parse(at))
      throw refuse('invalid-auth-token');
    const replaces = confirmed?.subscriptionId ?? null;
    return [{ type: 'SubscriptionConfirmed', data: { subscriptionId, replaces, at } }];
  },
  EndSubscription(state, { subscriptionId, at }) {
    const subscriptionIds = currentIds(state);
    if (subscriptionIds.includes(subscriptionId))
      return [{ type: 'SubscriptionEnded', data: { subscriptionIds, at } }];
    if (state.ended.includes(subscriptionId)) return [];
    throw refuse('invalid-auth-token');
  },
};

const currentIds = ({ confirmed, pending }: StatusSubscriber): SubscriptionId[] =>
  [confirmed, pending].flatMap((each) => (each === null ? [] : [each.subscriptionId]));

/** Every subscription whose links still mean something. */
export const knownIds = (state: StatusSubscriber): readonly SubscriptionId[] => [
  ...currentIds(state),
  ...state.ended,
];

export const statusSubscriber: Decider<StatusSubscriber, StatusSubscriberCommand, StatusSubscriberEvent> = {
  category: statusSubscriberEvents,
  initialState: { confirmed: null, pending: null, ended: [] },
  decide: decideBy(rules),
  evolve,
};

function evolve(state: StatusSubscriber, { type, data }: StatusSubscriberEvent): StatusSubscriber {
  switch (type) {
    case 'SubscriptionRequested': {
      const { subscriptionId, sealedEmail, components, expiresAt } = data;
      return { ...state, pending: { subscriptionId, sealedEmail, components, expiresAt } };
    }
    case 'SubscriptionConfirmed': {
      if (state.pending?.subscriptionId !== data.subscriptionId) return state;
      const { expiresAt: _, ...confirmed } = state.pending;
      return { ...state, confirmed, pending: null };
    }
    case 'SubscriptionEnded':
      return { confirmed: null, pending: null, ended: data.subscriptionIds };
  }
}
