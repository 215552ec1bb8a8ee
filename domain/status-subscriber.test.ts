import type { StatusSubscriberEvent } from '../contracts/events/status-subscriber.ts';
import { toId } from '../contracts/ids.ts';
import { statusSubscriber, type StatusSubscriberCommand } from './status-subscriber.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const [first, second] = [1, 2].map((n) =>
  toId('statusSubscription', `0197f1a0-0000-7000-8000-00000000000${n}`),
) as [`ssub_${string}`, `ssub_${string}`];
const at = '2026-01-05T12:00:00.000Z';
const expiresAt = '2026-01-06T12:00:00.000Z';
const asked = { subscriptionId: first, sealedEmail: 'sealed1.AAAA', components: null, expiresAt };

const events = eventBuilders<StatusSubscriberEvent>({
  SubscriptionRequested: { ...asked, supersedes: null, at },
  SubscriptionConfirmed: { subscriptionId: first, replaces: null, at },
  SubscriptionEnded: { subscriptionIds: [first], at },
});
const commands = commandBuilders<StatusSubscriberCommand>({
  RequestSubscription: { ...asked, at },
  ConfirmSubscription: { subscriptionId: first, at },
  EndSubscription: { subscriptionId: first, at },
});
const { given } = deciderSpec(statusSubscriber);
const requested = events.SubscriptionRequested();
const confirmed = events.SubscriptionConfirmed();
const ended = events.SubscriptionEnded();

describe('a subscriber of the status', () => {
  it('is confirmed once the link of the mail is opened, however often that happens', () => {
    given().when(commands.RequestSubscription()).then(requested);
    given(requested).when(commands.ConfirmSubscription()).then(confirmed);
    given(requested, confirmed).when(commands.ConfirmSubscription()).nothing();
  });

  it('confirms nothing by a link that expired, was superseded or is of a subscription that ended', () => {
    const refused = (...history: readonly StatusSubscriberEvent[]) => given(...history);
    given(requested)
      .when(commands.ConfirmSubscription({ at: expiresAt }))
      .refused('invalid-auth-token');
    refused(requested, events.SubscriptionRequested({ subscriptionId: second, supersedes: first }))
      .when(commands.ConfirmSubscription())
      .refused('invalid-auth-token');
    refused(requested, confirmed, ended).when(commands.ConfirmSubscription()).refused('invalid-auth-token');
    refused().when(commands.ConfirmSubscription()).refused('invalid-auth-token');
  });

  it('gets a new link on each request, and the previous one stops working', () => {
    const again = commands.RequestSubscription({ subscriptionId: second });
    given(requested)
      .when(again)
      .then(events.SubscriptionRequested({ subscriptionId: second, supersedes: first }));
  });

  it('needs no second confirmation of the same subscription', () => {
    given(requested, confirmed)
      .when(commands.RequestSubscription({ subscriptionId: second }))
      .nothing();
  });

  it('changes its subjects by confirming again, and keeps the present ones until then', () => {
    const other = { subscriptionId: second, components: ['api' as const] };
    const change = events.SubscriptionRequested(other);
    given(requested, confirmed).when(commands.RequestSubscription(other)).then(change);
    given(requested, confirmed, change)
      .when(commands.ConfirmSubscription({ subscriptionId: second }))
      .then(events.SubscriptionConfirmed({ subscriptionId: second, replaces: first }));
    given(requested, confirmed, change)
      .when(commands.EndSubscription())
      .then(events.SubscriptionEnded({ subscriptionIds: [first, second] }));
  });

  it('ends by the link in any mail that it ever got', () => {
    const again = events.SubscriptionRequested({ subscriptionId: second });
    given(requested, confirmed, ended, again)
      .when(commands.EndSubscription())
      .then(events.SubscriptionEnded({ subscriptionIds: [second] }));
  });

  it('ends by any of its links, as often as they are opened, and can begin anew', () => {
    given(requested).when(commands.EndSubscription()).then(ended);
    given(requested, confirmed).when(commands.EndSubscription()).then(ended);
    given(requested, confirmed, ended).when(commands.EndSubscription()).nothing();
    given().when(commands.EndSubscription()).refused('invalid-auth-token');
    given(requested, confirmed, ended)
      .when(commands.RequestSubscription({ subscriptionId: second }))
      .then(events.SubscriptionRequested({ subscriptionId: second }));
  });
});
