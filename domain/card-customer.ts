import { cardCustomerEvents, type CardCustomerEvent } from '../contracts/events/subscription.ts';
import type { AccountId } from '../contracts/ids.ts';
import { decideBy, type CommandsOf, type Decider, type Rules } from './kit/decider.ts';

/** The account of a customer of the card processor, whose callbacks name only the customer. */
export type CardCustomerState =
  | { readonly status: 'none' }
  | { readonly status: 'linked'; readonly accountId: AccountId };

export type CardCustomerCommand = CommandsOf<{
  /** Permanent. */
  LinkCardCustomer: { customerId: string; accountId: AccountId };
}>;

const rules: Rules<CardCustomerState, CardCustomerCommand, CardCustomerEvent> = {
  LinkCardCustomer: (state, { type: _, ...data }) =>
    state.status === 'linked' ? [] : [{ type: 'CardCustomerLinked', data }],
};

export const cardCustomer: Decider<CardCustomerState, CardCustomerCommand, CardCustomerEvent> = {
  category: cardCustomerEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve: (_, { data: { accountId } }) => ({ status: 'linked', accountId }),
};
