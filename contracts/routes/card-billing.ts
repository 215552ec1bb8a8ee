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
    success: ok(Billing, 'As the card processor last said.'),
    problems: [],
  }),
  write('POST /v1/billing/checkout-session', 'billing.checkout', {
    summary: 'A page to subscribe by card; with a subscription, one to change its tier',
    body: CreateCheckoutSession,
    success: ok(CardPage, 'Send the browser of the owner there.'),
    problems: ['bad-request', 'conflict', 'payments-unavailable'],
  }),
  write('POST /v1/billing/portal-session', 'billing.portal', {
    stepUp: true,
    summary: 'A page to change the card, read invoices or cancel',
    body: CreatePortalSession,
    bodyRequired: false,
    success: ok(CardPage, 'Send the browser of the owner there.'),
    problems: ['conflict', 'payments-unavailable'],
  }),
  write('POST /v1/webhooks/card', 'card-events.take', {
    scopes: null,
    role: 'member',
    bucket: 'callbacks:take',
    raw: { mostBytes: 256 * 1024 },
    headers: {
      'stripe-signature': 'Over the time and the bytes of the body, as the card processor makes it.',
    },
    summary: 'For the card processor alone: what has happened there',
    success: ok(closed({ received: Type.Literal(true) }), 'It is kept, or does not concern this service.'),
    problems: ['bad-request'],
  }),
] as const satisfies readonly Route[];
