import { presentBilling } from '../contracts/resources/card-billing.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { CardChecks } from '../infra/ephemeral/index.ts';
import { billingOfAccount } from '../projections/queries/card-billing.ts';
import { knownBilling } from '../projections/read-models/subscription.ts';
import { readOne, type Read, type ReadCall } from './engine/reading.ts';

export interface CardBillingReadOptions {
  readonly clock: Clock;
  /** Undefined without a card processor. */
  readonly cardChecks?: Pick<CardChecks, 'want'> | undefined;
}

/**
 * Age in milliseconds from which the recorded state is checked with the processor, in case a callback was lost. A last query that is as
 * far ahead of now counts as never: the clock was set back.
 */
const trustedMs = 60_000;

export const cardBillingReads = (read: Read, { clock, cardChecks }: CardBillingReadOptions) => ({
  'billing.get': {
    /** Shows the recorded state. If it is old, the processor is queried afterwards, for later reads. */
    run: (call: ReadCall) => {
      const { accountId } = call.caller;
      return readOne(read, call, billingOfAccount, { accountId }, ({ tier, state, asked_at }) => {
        const known = knownBilling(state);
        const isOld = asked_at === null || Math.abs(clock.now().getTime() - Date.parse(asked_at)) > trustedMs;
        if (known.isCustomer && isOld) cardChecks?.want(accountId);
        return presentBilling(tier, known);
      });
    },
  },
});
