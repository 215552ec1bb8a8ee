import type { AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { CardPage } from '../../contracts/resources/card-billing.ts';
import type { Tier } from '../../contracts/tiers.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { cardCustomer } from '../../domain/card-customer.ts';
import { processorEvent } from '../../domain/processor-event.ts';
import { entitlingSubscription, subscription } from '../../domain/subscription.ts';
import type { CardCallback, CardProcessor } from '../../infra/payments/card/types.ts';
import { now, ownedStep, stepContext, systemContext, type CommandContext } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';

export interface CardBillingPorts extends CommandPorts {
  /** Undefined if none is configured. */
  readonly processor: CardProcessor | undefined;
}

/** The outcome of a callback. */
export type CallbackOutcome = 'kept' | 'duplicate' | 'ignored';

/**
 * Requests of account owners, and callbacks of the card processor. Throws `feature-unavailable` if no processor is configured.
 */
export function createCardBilling(ports: CardBillingPorts) {
  const { runner } = ports;
  return {
    /**
     * Opens a checkout page. A subscribed account changes its subscription in the processor's portal instead, so that it never pays
     * for two; `assertConfirmed` is called before the portal is opened. Throws `bad-request` for a tier without a price.
     */
    async openCheckout(
      accountId: AccountId,
      tier: Tier,
      context: CommandContext,
      assertConfirmed: () => Promise<void>,
    ) {
      const processor = configured(ports);
      if (!processor.sells(tier)) throw refuse('bad-request', `The ${tier} tier is not sold by card.`);
      const customerId = await customerOf(ports, accountId, context);
      const { state } = await runner.load(subscription, uuidOf(accountId));
      const { commandId: idempotencyKey } = ownedStep(context, accountId, 'open-checkout');
      const changing = entitlingSubscription(state)?.subscriptionId;
      if (changing !== undefined) {
        await assertConfirmed();
        const portal = await processor.openPortal({ customerId, changing, idempotencyKey });
        return notedPortal(ports, accountId, portal, context);
      }
      const page = await processor.openCheckout({ customerId, accountId, tier, idempotencyKey });
      const note = { type: 'NoteCheckout', tier, expiresAt: page.expires_at, at: now(ports) } as const;
      const step = ownedStep(context, accountId, 'note-checkout');
      const { position } = await runner.run(subscription, uuidOf(accountId), note, step);
      return { page, position };
    },
    /** Opens a page to manage the subscription, the card and the invoices. */
    async openPortal(accountId: AccountId, context: CommandContext) {
      const processor = configured(ports);
      const customerId = await customerOf(ports, accountId, context);
      const { commandId: idempotencyKey } = ownedStep(context, accountId, 'open-portal');
      const page = await processor.openPortal({ customerId, idempotencyKey });
      return notedPortal(ports, accountId, page, context);
    },
    take: (bytes: Buffer, signature: string) => takeCallback(ports, bytes, signature),
  };
}

export type CardBilling = ReturnType<typeof createCardBilling>;

/** Records that a page of the portal was opened, and returns the page. */
async function notedPortal(
  ports: CardBillingPorts,
  accountId: AccountId,
  page: CardPage,
  context: CommandContext,
) {
  const note = { type: 'NotePortal', expiresAt: page.expires_at, at: now(ports) } as const;
  const step = ownedStep(context, accountId, 'note-portal');
  const { position } = await ports.runner.run(subscription, uuidOf(accountId), note, step);
  return { page, position };
}

/** Records a callback, once; it is processed afterwards. Throws `bad-request` if its signature is invalid. */
async function takeCallback(
  ports: CardBillingPorts,
  bytes: Buffer,
  signature: string,
): Promise<CallbackOutcome> {
  const callback = await configured(ports).readCallback(bytes, signature);
  if (!concernsUs(callback)) return 'ignored';
  const context = systemContext(`card event ${callback.eventId}`, 'callback:card-processor');
  const command = { type: 'KeepCardEvent', ...callback, at: now(ports) } as const;
  const { events } = await ports.runner.run(processorEvent, context.commandId, command, context, {
    create: true,
  });
  return events.length === 0 ? 'duplicate' : 'kept';
}

/** Callbacks of these kinds trigger a query. */
const kinds = ['customer.subscription.', 'invoice.', 'checkout.session.'] as const;

const concernsUs = ({ kind, customerId }: CardCallback): boolean =>
  customerId !== null && kinds.some((each) => kind.startsWith(each));

function configured({ processor }: CardBillingPorts): CardProcessor {
  if (processor === undefined)
    throw refuse('feature-unavailable', 'This service accepts no payments by card.');
  return processor;
}

/** Uuid of the stream of a customer. */
export const customerUuid = (customerId: string): string =>
  systemContext(`card customer ${customerId}`, 'callback:card-processor').commandId;

/**
 * The account's customer at the processor, created on first use. The idempotency key derives from the account, so that after a
 * crash the next request gets the same customer. Recorded before it is used: every callback about it comes later.
 */
async function customerOf(
  ports: CardBillingPorts,
  accountId: AccountId,
  context: CommandContext,
): Promise<string> {
  const { runner } = ports;
  const { state: known } = await runner.load(subscription, uuidOf(accountId), { cached: true });
  if (known.status === 'customer') return known.customerId;
  const made = await configured(ports).createCustomer(accountId, `customer-${uuidOf(accountId)}`);
  const step = ownedStep(context, accountId, 'link-card-customer');
  const facts = { accountId, customerId: made, at: now(ports) };
  const link = { type: 'LinkCardCustomer', ...facts } as const;
  const linkStep = stepContext(step, 'customer');
  await runner.run(cardCustomer, customerUuid(made), link, linkStep, { create: true });
  const command = { type: 'LinkCustomer', ...facts } as const;
  const { state } = await runner.run(subscription, uuidOf(accountId), command, step, { create: true });
  return state.status === 'customer' ? state.customerId : made;
}
