import type { KnownBilling } from '../../contracts/resources/card-billing.ts';
import { invoicesOf, mainSubscription, subscription } from '../../domain/subscription.ts';
import { stateReadModel } from '../engine/state-read-model.ts';

/** The recorded state of each account at the card processor. */
export const subscriptions = stateReadModel('subscriptions', subscription);

/** The shown fields of a row. `isCustomer`: the processor can be queried about the account. */
export function knownBilling(state: unknown): KnownBilling & { readonly isCustomer: boolean } {
  const known = subscriptions.stateOf(state === null ? undefined : { state });
  const main = mainSubscription(known);
  return {
    ...(main && { subscription: main }),
    invoices: invoicesOf(known),
    isCustomer: known.status === 'customer',
  };
}
