import { Billing, CardPage, CreateCheckoutSession, CreatePortalSession } from '../resources/card-billing.ts';
import type { Route } from '../route.ts';
import { Type, closed } from '../schema.ts';
import { area, ok } from './rows.ts';

const tag = 'Billing';
const { read } = area({ tag, reads: ['read', 'account_owner'], writes: [], readRole: 'admin' });
const { write } = area({ tag, reads: [], writes: ['account_owner'], accountHeader: 'ignored' });

/** Subscriptions by card. Card data is entered on the processor's pages, and never received here. */
export const cardBillingRoutes = [
  read('GET /v1/billing', 'billing.get', {
    summary: 'The tier, the card subscription and its latest invoices',
    success: ok(Billing, 'As last reported by the card processor.'),
    problems: [],
  }),
  write('POST /v1/billing/checkout-session', 'billing.checkout', {
    summary: 'Create a page to subscribe by card, or to change the tier of a subscription',
    body: CreateCheckoutSession,
    success: ok(
      CardPage,
      'The page to send the browser of the owner to. To change a subscription, an account with a second factor must have given a code within the last ten minutes.',
    ),
    problems: ['bad-request', 'conflict', 'mfa-step-up-required', 'payments-unavailable'],
  }),
  write('POST /v1/billing/portal-session', 'billing.portal', {
    stepUp: true,
    summary: 'Create a page to change the card, read invoices or cancel',
    body: CreatePortalSession,
    bodyRequired: false,
    success: ok(CardPage, 'The page to send the browser of the owner to.'),
    problems: ['conflict', 'payments-unavailable'],
  }),
  write('POST /v1/webhooks/card', 'card-events.take', {
    scopes: null,
    role: 'member',
    bucket: 'callbacks:take',
    raw: { mostBytes: 256 * 1024 },
    headers: {
      'stripe-signature': 'The signature of the card processor over the time and the body.',
    },
    summary: 'Receive an event of the card processor',
    success: ok(
      closed({ received: Type.Literal(true) }),
      'The event is stored, or does not concern this service.',
    ),
    problems: ['bad-request'],
  }),
] as const satisfies readonly Route[];
