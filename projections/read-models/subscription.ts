import type { KnownBilling } from '../../contracts/resources/card-billing.ts';
import { invoicesOf, mainSubscription, subscription } from '../../domain/subscription.ts';
import { stateReadModel } from '../engine/state-read-model.ts';

/** What the card processor knows of each account that was ever sent there. */
export const subscriptions = stateReadModel('subscriptions', subscription);

/** What is shown of a row. `isCustomer`: there is something to ask the processor about. */
export function knownBilling(state: unknown): KnownBilling & { readonly isCustomer: boolean } {
  const known = subscriptions.stateOf(state === null ? undefined : { state });
  const main = mainSubscription(known);
  return {
    ...(main && { subscription: main }),
    invoices: invoicesOf(known),
    isCustomer: known.status === 'customer',
  };
}
