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
    summary: 'Why the bill of a month is what it is: each amount, with the events that it follows from',
    query: BillQuery,
    success: ok(Bill, 'What was paid in the month; a month without payments is nothing.'),
    problems: [],
  }),
] as const satisfies readonly Route[];
