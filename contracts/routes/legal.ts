import type { Route } from '../route.ts';
import * as legal from '../resources/legal.ts';
import { area, ok } from './rows.ts';

const { write } = area({ tag: 'Account', reads: [], writes: ['account_owner'], accountHeader: 'ignored' });

export const legalRoutes = [
  write('POST /v1/legal/accept', 'legal.accept', {
    summary: 'Accept the current terms',
    ungated: ['terms'],
    body: legal.AcceptTerms,
    success: ok(legal.AcceptedTerms, 'The accepted revision, and the time of acceptance.'),
    problems: [],
  }),
] as const satisfies readonly Route[];
