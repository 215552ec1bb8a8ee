import { namesUnknownFields } from '../route.ts';
import type { Route } from '../routes/index.ts';
import { referenceTo, type JsonObject } from './json-schema.ts';

const header = (description: string, schema: JsonObject = { type: 'string' }): JsonObject => ({
  description,
  schema,
});

/** Explanation of the headers of most operations. */
export const headersInWords = [
  'Every answer carries `X-Request-Id`.',
  '`X-Service-Position` is the log position of an answer, `commit/prepare`; `X-Service-As-Of` is the position at which an ' +
    '`as_of` was read. `RateLimit-Policy` and `RateLimit` tell the size of the rate bucket and what is left in it.',
  '`X-Service-Stale: true` means that the answer may lack the latest changes of the account; otherwise the header is absent.',
  '`x-service-unknown-fields` names the top-level fields of the body that were ignored, percent-encoded, at most 10; it is absent ' +
    'when all were recognised.',
].join(' ');

const inWords: JsonObject = { schema: { type: 'string' } };

/** Every other documented header. */
const headers: Readonly<Record<string, JsonObject>> = {
  'X-Request-Id': header("The request's id: the caller's own `X-Request-Id` if it is valid, else a new one."),
  'Retry-After': header('Seconds to wait before another try.', { type: 'integer', minimum: 0 }),
  'RateLimit-Policy': header('The bucket and the requests it holds: `"default:write";q=60`.'),
  RateLimit: header(
    'The bucket, what is left in it and the seconds until it is full: `"default:write";r=59;t=1`.',
  ),
  'Idempotency-Replayed': header(
    '`true` when this is the stored answer of an earlier request with the same key.',
    {
      type: 'string',
      const: 'true',
    },
  ),
  Deprecation: header(
    'When the deprecation of the route, or of a field of it, was announced (RFC 9745): `@1795305600`.',
  ),
  Sunset: header('When it may be removed (RFC 8594), as an HTTP date.'),
  Link: header(
    '`rel="deprecation"` leads to the documentation, `rel="successor-version"` to the replacement.',
  ),
  'WWW-Authenticate': header('`Bearer`, with `error="invalid_token"` where a key was sent and refused.'),
};

const required = (name: string): JsonObject => ({ ...headers[name], required: true });

/** Headers that some answers always have, by component name. */
const components = {
  'X-Request-Id': 'RequestId',
  'RateLimit-Policy': 'Policy',
  RateLimit: 'Rate',
  'WWW-Authenticate': 'Challenge',
} as const;
export const headerComponents: JsonObject = Object.fromEntries(
  Object.entries(components).map(([name, component]) => [component, required(name)]),
);

/** Optional headers are inlined: generators treat referenced headers as required. */
const listed = (
  always: readonly (keyof typeof components)[],
  sometimes: readonly string[] = [],
): JsonObject => ({
  ...Object.fromEntries(always.map((name) => [name, referenceTo('headers', components[name])])),
  ...Object.fromEntries(
    sometimes.map((name) => [name, name in components ? inWords : (headers[name] ?? inWords)]),
  ),
});

const rateFields = (route: Route): readonly ('RateLimit-Policy' | 'RateLimit')[] =>
  route.bucket === null ? [] : ['RateLimit-Policy', 'RateLimit'];

export const successHeaders = (route: Route, isDeprecated: boolean): JsonObject => ({
  ...listed(
    ['X-Request-Id', ...rateFields(route)],
    [
      ...(route.scopes === null ? [] : ['X-Service-Position']),
      ...(route.side === 'read' && route.scopes !== null ? ['X-Service-Stale'] : []),
      ...('as_of' in (route.query ?? {}) ? ['X-Service-As-Of'] : []),
      ...(namesUnknownFields(route) ? ['x-service-unknown-fields'] : []),
      ...(route.idempotencyKey ? ['Idempotency-Replayed'] : []),
      ...(isDeprecated ? ['Deprecation', 'Sunset', 'Link'] : []),
    ],
  ),
  ...Object.fromEntries(
    Object.entries(route.success.headers ?? {}).map(([name, description]) => [
      name,
      { ...header(description), required: true },
    ]),
  ),
});

/** Statuses that may occur before the request is counted, and after. */
const maybeUncounted: ReadonlySet<number> = new Set([403, 429, 500, 503]);

/** Headers of a problem's answer; `variant` distinguishes answers with the same problems. */
export function problemHeaders(route: Route, status: number): { headers: JsonObject; variant: string } {
  if (status === 401) return { headers: listed(['X-Request-Id', 'WWW-Authenticate']), variant: '' };
  const keyed = status === 409 && route.idempotencyKey === true;
  const waits = status === 429 || status === 503 || keyed;
  const [always, sometimes] = maybeUncounted.has(status) ? [[], rateFields(route)] : [rateFields(route), []];
  return {
    headers: listed(['X-Request-Id', ...always], [...sometimes, ...(waits ? ['Retry-After'] : [])]),
    variant: `${keyed ? 'Keyed' : ''}${route.bucket === null ? 'Uncounted' : ''}`,
  };
}
