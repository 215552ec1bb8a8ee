import type { Route } from '../route.ts';
import { Type } from '../schema.ts';
import { ok } from './rows.ts';

const unsubscribe = {
  path: '/v1/email/unsubscribe',
  tag: 'Email',
  scopes: null,
  role: 'member',
  accountHeader: 'ignored',
  query: {
    token: Type.Optional(Type.String({ maxLength: 300, description: 'From the link of the mail.' })),
  },
  success: { ...ok(Type.String(), 'A page for people.'), contentType: 'text/html' },
  problems: ['bad-request', 'invalid-auth-token'],
} as const;

/** Where the links lead that stand below mails which an account can opt out of. They need no sign-in. */
export const emailRoutes = [
  {
    id: 'email.unsubscribe-page',
    method: 'GET',
    side: 'read',
    bucket: null,
    summary: 'A page that asks whether to opt out of mails of one kind; changes nothing',
    ...unsubscribe,
  },
  {
    id: 'email.unsubscribe',
    method: 'POST',
    side: 'write',
    bucket: 'auth:attempt',
    summary: 'Opt out of mails of one kind (RFC 8058); the body is not looked at',
    ...unsubscribe,
  },
] as const satisfies readonly Route[];
