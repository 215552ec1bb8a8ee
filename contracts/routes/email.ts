import type { Route } from '../route.ts';
import { Type } from '../schema.ts';
import { area, ok } from './rows.ts';

const { read, write } = area({ tag: 'Email', reads: [], writes: [], accountHeader: 'ignored' });
const unsubscribe = {
  scopes: null,
  role: 'member',
  query: {
    token: Type.Optional(Type.String({ maxLength: 300, description: 'From the link of the mail.' })),
  },
  success: { ...ok(Type.String(), 'A page for people.'), contentType: 'text/html' },
  problems: ['bad-request', 'invalid-auth-token'],
} as const;

/** Targets of the unsubscribe links in optional mails. They need no log-in. */
export const emailRoutes = [
  read('GET /v1/email/unsubscribe', 'email.unsubscribe-page', {
    ...unsubscribe,
    bucket: null,
    summary: 'A page that asks whether to opt out of mails of one kind; changes nothing',
  }),
  write('POST /v1/email/unsubscribe', 'email.unsubscribe', {
    ...unsubscribe,
    bucket: 'auth:attempt',
    summary: 'Opt out of mails of one kind (RFC 8058); the body is ignored',
  }),
] as const satisfies readonly Route[];
