import type { CallbackOutcome, CardBilling } from '../../commands/card-billing/index.ts';
import { Refusal } from '../../contracts/problems.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

/** Called for each callback. */
export type OnCardCallback = (outcome: CallbackOutcome | 'refused') => void;

type BillingRoutes = 'billing.checkout' | 'billing.portal' | 'card-events.take';

/** Subscriptions by card, and the callbacks of the processor. */
export function cardBillingHandlers(
  cards: CardBilling,
  onCallback: OnCardCallback = () => undefined,
  { answering, answeringAnyone }: Handling,
): HandlersOf<BillingRoutes> {
  return {
    'billing.checkout': answering(async ({ caller, body }) => {
      const { page, position } = await cards.openCheckout(caller.accountId, body.tier, caller.context);
      return { body: page, position };
    }),
    'billing.portal': answering(async ({ caller }) => {
      const { page, position } = await cards.openPortal(caller.accountId, caller.context);
      return { body: page, position };
    }),
    'card-events.take': answeringAnyone(async ({ bytes, request }) => {
      try {
        onCallback(await cards.take(bytes, request.header('stripe-signature') ?? ''));
      } catch (error) {
        if (error instanceof Refusal) onCallback('refused');
        throw error;
      }
      return { body: { received: true } };
    }),
  };
}
