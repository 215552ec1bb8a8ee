import type { Route } from '../route.ts';
import { Type } from '../schema.ts';
import { area, ok } from './rows.ts';

const { read, write } = area({ tag: 'Email', reads: [], writes: [], accountHeader: 'ignored' });
const unsubscribe = {
  scopes: null,
  role: 'member',
  query: {
    token: Type.Optional(Type.String({ maxLength: 300, description: 'From the link in the mail.' })),
  },
  success: { ...ok(Type.String(), 'An HTML page.'), contentType: 'text/html' },
  problems: ['invalid-auth-token'],
} as const;

/** Targets of the unsubscribe links in optional mails. They need no log-in. */
export const emailRoutes = [
  read('GET /v1/email/unsubscribe', 'email.unsubscribe-page', {
    ...unsubscribe,
    bucket: null,
    summary: 'Confirmation page for opting out of one kind of mail; changes nothing',
  }),
  write('POST /v1/email/unsubscribe', 'email.unsubscribe', {
    ...unsubscribe,
    bucket: 'auth:attempt',
    summary: 'Opt out of one kind of mail (RFC 8058); the body is ignored',
  }),
] as const satisfies readonly Route[];
