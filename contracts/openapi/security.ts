import { credentialKinds, type CredentialKind } from '../credentials.ts';
import type { Route } from '../route.ts';
import { cookieName, hasSecureCookies } from '../web-cookies.ts';
import type { JsonObject } from './json-schema.ts';

/** The OpenAPI security schemes of each kind of credential. */
const schemesOf: Readonly<Record<CredentialKind, readonly string[]>> = {
  api_key: ['apiKey'],
  web_session: ['accessToken', 'sessionCookie'],
  device: ['accessToken'],
};

export const securitySchemes = (baseUrl: string | undefined): JsonObject => ({
  apiKey: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API key>`' },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      '`Authorization: Bearer <access token>`, from signing in, refreshing or authorising a device.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName('session', hasSecureCookies(baseUrl)),
    description:
      'The access token of a web session, set by signing in. A change must come from a page of the service, as shown by ' +
      '`Origin` or `Sec-Fetch-Site`.',
  },
  queryToken: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description:
      'An API key or an access token, for `EventSource` in browsers, which cannot set headers. `Authorization` takes precedence.',
  },
});

/** Security scheme of routes that take the credential in the query. */
const inQuery = 'queryToken';

/** The cookie of a web session, which has every scope. */
const cookie = 'sessionCookie';

/** The accepted security schemes of a route, alternatives; empty: no credential. */
export const securityOf = ({
  scopes,
  credentials = credentialKinds,
  credentialInQuery,
}: Route): JsonObject[] => {
  const schemes = new Set(credentials.flatMap((kind) => schemesOf[kind]));
  if (credentialInQuery !== undefined) schemes.add(inQuery);
  return [...schemes].flatMap((scheme) => {
    if (scopes === null) return [];
    return scheme === cookie ? [{ [scheme]: [] }] : scopes.map((scope) => ({ [scheme]: [scope] }));
  });
};
