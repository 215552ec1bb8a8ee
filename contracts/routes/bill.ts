import { Bill, BillQuery } from '../resources/bill.ts';
import type { Route } from '../route.ts';
import { area, ok } from './rows.ts';

const { read } = area({
  ...{ tag: 'Billing', reads: ['read', 'account_owner'], writes: [] },
  accountHeader: 'ignored',
});

/** Bills of all payment methods. */
export const billRoutes = [
  read('GET /v1/billing/explain', 'billing.explain', {
    summary: 'Explain the bill of a month: each amount with the events behind it',
    query: BillQuery,
    success: ok(Bill, 'The payments of the month, if any.'),
    problems: [],
  }),
] as const satisfies readonly Route[];
