import * as order from '../resources/order.ts';
import { OrderReceipt } from '../resources/order-receipt.ts';
import type { Route } from '../route.ts';
import { Type } from '../schema.ts';
import { area, created, idParam, ok } from './rows.ts';

const { read, write, list, detail } = area({
  tag: 'Billing',
  reads: ['read', 'account_owner'],
  writes: ['account_owner'],
  accountHeader: 'ignored',
});
const params = idParam('`ord_<uuid>`');
const path = '/v1/billing/crypto-orders';
const payments = ['payments-unavailable', 'feature-unavailable'] as const;

/** Orders paid with crypto, always of the caller's own account, even with `X-Service-Account`. */
export const orderRoutes = [
  write('POST /v1/billing/crypto-checkout/quote', 'crypto-orders.quote', {
    summary: 'Estimated price of a product in a currency',
    body: order.PlaceOrder,
    success: ok(order.Quote, 'The quote. The amount to pay is fixed at checkout.'),
    problems: [...payments],
  }),
  write('POST /v1/billing/crypto-checkout', 'crypto-orders.create', {
    summary: 'Order a product; returns the amount and the address to pay to',
    idempotencyKey: true,
    body: order.PlaceOrder,
    success: created(order.CryptoOrder, 'The order.'),
    problems: ['conflict', ...payments],
  }),
  list(path, 'crypto-orders.list', order.CryptoOrder, 'orders'),
  ...detail(`${path}/{id}`, 'crypto-orders', order.CryptoOrder, 'order', { params }),
  write(`PATCH ${path}/{id}`, 'crypto-orders.update', {
    summary: 'Pay a pending order in another currency',
    params,
    body: order.ChangeOrder,
    success: ok(order.CryptoOrder, 'The order, with another amount and address.'),
    problems: ['not-found', 'conflict', ...payments],
  }),
  write(`POST ${path}/{id}/cancel`, 'crypto-orders.cancel', {
    summary: 'Cancel a pending order',
    params,
    success: ok(order.CryptoOrder, 'The order.'),
    problems: ['not-found', 'conflict'],
  }),
  read(`GET ${path}/{id}/receipt`, 'crypto-orders.receipt', {
    summary: 'The receipt of a paid order',
    params,
    success: ok(OrderReceipt, 'The receipt.'),
    problems: ['not-found', 'conflict'],
  }),
  read(`GET ${path}/{id}/receipt.txt`, 'crypto-orders.receipt-text', {
    summary: 'The receipt of a paid order as text',
    params,
    success: { ...ok(Type.String(), 'The receipt.'), contentType: 'text/plain' },
    problems: ['not-found', 'conflict'],
  }),
  read(`GET ${path}/{id}/receipt.pdf`, 'crypto-orders.receipt-pdf', {
    summary: 'The receipt of a paid order as a PDF',
    params,
    success: { ...ok(Type.String(), 'The receipt.'), contentType: 'application/pdf' },
    problems: ['not-found', 'conflict'],
  }),
  write('POST /v1/webhooks/crypto', 'crypto-callbacks.take', {
    summary: 'Receive a callback of the crypto processor',
    scopes: null,
    bucket: 'callbacks:take',
    raw: { mostBytes: 64 * 1024 },
    success: { status: 200, body: Type.Object({}), description: 'The callback is stored.' },
    problems: ['bad-request', 'feature-unavailable'],
  }),
] as const satisfies readonly Route[];
