import type { CallbackOutcome, CardBilling } from '../../commands/card-billing/index.ts';
import type { Caller } from '../../commands/engine/context.ts';
import { Refusal } from '../../contracts/problems.ts';
import { assertConfirmed } from '../../infra/http/admission.ts';
import type { Confirmation } from '../../infra/http/index.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

/** Called for each callback. */
export type OnCardCallback = (outcome: CallbackOutcome | 'refused') => void;

type BillingRoutes = 'billing.checkout' | 'billing.portal' | 'card-events.take';

/** Subscriptions by card, and the callbacks of the processor. `confirmation`: the state of the caller's second factor. */
export function cardBillingHandlers(
  cards: CardBilling,
  confirmation: (caller: Caller) => Promise<Confirmation>,
  onCallback: OnCardCallback = () => undefined,
  { answering, answeringAnyone }: Handling,
): HandlersOf<BillingRoutes> {
  return {
    'billing.checkout': answering(async ({ caller, body }) => {
      const { accountId, context } = caller;
      const { page, position } = await cards.openCheckout(accountId, body.tier, context, async () =>
        assertConfirmed(await confirmation(caller)),
      );
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
