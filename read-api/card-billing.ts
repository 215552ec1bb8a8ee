import { presentBilling } from '../contracts/resources/card-billing.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { CardChecks } from '../infra/ephemeral/index.ts';
import { billingOfAccount } from '../projections/queries/card-billing.ts';
import { knownBilling } from '../projections/read-models/subscription.ts';
import { readOne, type Read, type ReadCall } from './engine/reading.ts';

export interface CardBillingReadOptions {
  readonly clock: Clock;
  /** Undefined: there is no card processor. */
  readonly cardChecks?: Pick<CardChecks, 'want'> | undefined;
}

/** Older than this, what the card processor has said may be wrong because a callback was lost, milliseconds. */
const trustedMs = 60_000;

export const cardBillingReads = (read: Read, { clock, cardChecks }: CardBillingReadOptions) => ({
  'billing.get': {
    /** Shows what is known. Where that is old, the processor is asked afterwards: the answer is in a later read. */
    run: (call: ReadCall) => {
      const { accountId } = call.caller;
      return readOne(read, call, billingOfAccount, { accountId }, ({ tier, state, asked_at }) => {
        const known = knownBilling(state);
        const isOld = asked_at === null || clock.now().getTime() - Date.parse(asked_at) > trustedMs;
        if (known.isCustomer && isOld) cardChecks?.want(accountId);
        return presentBilling(tier, known);
      });
    },
  },
});
