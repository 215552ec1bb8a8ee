import { dayMs } from '../../contracts/durations.ts';
import { accountEvents } from '../../contracts/events/account.ts';
import { processorEventEvents, type ProcessorEvent } from '../../contracts/events/processor-event.ts';
import { subscriptionEvents } from '../../contracts/events/subscription.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { account } from '../../domain/account.ts';
import { cardCustomer } from '../../domain/card-customer.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import { subscription, tierByCard } from '../../domain/subscription.ts';
import type { CardProcessor } from '../../infra/payments/card/types.ts';
import { customerUuid } from '../card-billing/index.ts';
import { billingMailOf, queueBillingMail } from '../card-billing/mails.ts';
import type { Observe } from '../card-billing/observe.ts';
import { now, ownedStep, type CommandContext } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';
import type { OptionalMailPorts } from '../mail/index.ts';
import { isErased } from '../team/erasure.ts';
import { processManager, reactingTo, type ProcessManager } from './engine/process-manager.ts';

export interface CardProcessorPorts extends CommandPorts {
  readonly observe: Observe;
  readonly processor: Pick<CardProcessor, 'closeCheckouts' | 'deleteCustomer'>;
  /** Reports the outcome of each callback, for metrics. */
  readonly onCallback: (outcome: 'news' | 'known' | 'unknown_customer') => void;
}

type CardEvent = DataOf<ProcessorEvent, 'CardEventReceived'>;

/**
 * A callback triggers a query of the processor for the present state, so the order and number of callbacks do not matter. The
 * callback's content counts only if the processor does not know the id in it.
 */
export const cardEventsManager = (ports: CardProcessorPorts): ProcessManager =>
  reactingTo(
    'card-events',
    processorEventEvents,
    { CardEventReceived: (received, context) => workOn(ports, received, context) },
    // Queries about a customer wait for each other. In a partition they take no place of the host meanwhile.
    ({ type, data }) => (type === 'CardEventReceived' ? (data.customerId ?? undefined) : undefined),
  );

async function workOn(
  { runner, observe, onCallback }: CardProcessorPorts,
  { customerId, subscriptionId, invoiceId, kind, ...said }: CardEvent,
  context: CommandContext,
): Promise<void> {
  const owner =
    customerId === null
      ? undefined
      : await runner.load(cardCustomer, customerUuid(customerId), { cached: true });
  if (owner === undefined || owner.state.status === 'none') return onCallback('unknown_customer');
  const named = { subscriptionId, invoiceId, isFailure: kind === 'invoice.payment_failed', said };
  onCallback((await observe(owner.state.accountId, named, context)) ? 'news' : 'known');
}

/** Grants and ends the tier of a subscription. */
export const cardEntitlementsManager = (ports: CommandPorts): ProcessManager =>
  reactingTo(
    'card-entitlements',
    subscriptionEvents,
    { SubscriptionChanged: ({ accountId }, context) => entitle(ports, accountId, context) },
    ({ data }) => data.accountId,
  );

/**
 * Decides by the present subscriptions, regardless of the event. A host that was replaced may still run its command after a later
 * one: the account ignores it if the later one changed the tier; otherwise it takes effect, and is corrected here.
 */
async function entitle(ports: CommandPorts, accountId: AccountId, context: CommandContext): Promise<void> {
  const { runner } = ports;
  const { state: owner } = await runner.load(account, uuidOf(accountId));
  if (owner.status === 'none' || owner.status === 'erased') return;
  const { state } = await runner.load(subscription, uuidOf(accountId));
  const tier = tierByCard(state);
  const facts = { basedOn: state.status === 'none' ? 0 : state.changes, at: now(ports) };
  const command =
    tier === null
      ? ({ type: 'EndCardEntitlement', ...facts } as const)
      : ({ type: 'EntitleByCard', tier, ...facts } as const);
  const step = ownedStep(context, accountId, `change ${facts.basedOn}`);
  const { events } = await runner.run(account, uuidOf(accountId), command, step);
  if (events.length > 0) await entitle(ports, accountId, context);
}

/** Milliseconds after which a checkout page has closed by itself, at the latest. */
const longestOpenMs = dayMs;

/**
 * Closes the checkout pages on which an account would pay for a second subscription: the earlier ones once another is opened, and
 * all of them once it is subscribed.
 */
export const cardCheckoutsManager = ({ runner, clock, processor }: CardProcessorPorts): ProcessManager => {
  const close = async ({ accountId, at }: { readonly accountId: AccountId; readonly at: string }) => {
    // The first run, on a log from before this manager, asks nothing about pages of the past.
    if (clock.now().getTime() - Date.parse(at) > longestOpenMs) return;
    const { state } = await runner.load(subscription, uuidOf(accountId));
    if (state.status === 'none') return;
    const which = tierByCard(state) === null ? 'all but the newest' : 'all';
    await processor.closeCheckouts(state.customerId, which);
  };
  return reactingTo(
    'card-checkouts',
    subscriptionEvents,
    { CheckoutOpened: close, SubscriptionChanged: close },
    ({ data }) => data.accountId,
  );
};

/** Mails about payments, failed payments and upcoming renewals. */
export const cardMailsManager = (ports: OptionalMailPorts): ProcessManager =>
  processManager({
    name: 'card-mails',
    category: subscriptionEvents,
    react: billingMailOf,
    perform: (mail, context) => queueBillingMail(ports, mail, context),
  });

/**
 * Deletes the customer of an erased account, which ends its subscriptions; also one that a request admitted before the erasure
 * records after it.
 */
export const cardErasuresManagers = (ports: CardProcessorPorts): readonly ProcessManager[] => {
  const { runner, processor } = ports;
  return [
    reactingTo('card-erasures', accountEvents, {
      AccountErased: async ({ accountId }) => {
        const { state } = await runner.load(subscription, uuidOf(accountId));
        if (state.status === 'customer') await processor.deleteCustomer(state.customerId);
      },
    }),
    reactingTo('late-card-erasures', subscriptionEvents, {
      CardCustomerCreated: async ({ accountId, customerId }) => {
        if (await isErased(ports, accountId)) await processor.deleteCustomer(customerId);
      },
    }),
  ];
};
