import type { Route } from '../route.ts';
import * as legal from '../resources/legal.ts';
import { area, ok } from './rows.ts';

const { write } = area({ tag: 'Account', reads: [], writes: ['account_owner'], accountHeader: 'ignored' });

export const legalRoutes = [
  write('POST /v1/legal/accept', 'legal.accept', {
    summary: 'Accept the terms that are in force',
    ungated: ['terms'],
    body: legal.AcceptTerms,
    success: ok(legal.AcceptedTerms, 'What is accepted now, and since when.'),
    problems: [],
  }),
] as const satisfies readonly Route[];
