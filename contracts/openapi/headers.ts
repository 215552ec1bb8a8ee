import type { Route } from '../routes/index.ts';
import type { JsonObject } from './json-schema.ts';

const header = (description: string, schema: JsonObject = { type: 'string' }): JsonObject => ({
  description,
  schema,
});

/** Every header of the contract that a document names. */
export const headerComponents: Record<string, JsonObject> = {
  'X-Request-Id': header("The request's id: the caller's own `X-Request-Id` when it fits, else a new one."),
  'Retry-After': header('Seconds to wait before another try.', { type: 'integer', minimum: 0 }),
  'RateLimit-Policy': header('The bucket and the requests it holds: `"default:write";q=60`.'),
  RateLimit: header(
    'The bucket, what is left in it and the seconds until it is full: `"default:write";r=59;t=1`.',
  ),
  'X-Service-Position': header('Where in the log this answer stands, `commit/prepare`.'),
  'x-service-unknown-fields': header(
    'The top-level fields of the body that were ignored, percent-encoded, at most 10. Absent when all were recognised.',
  ),
  'Idempotency-Replayed': header(
    '`true` when this is the stored answer of an earlier request with the same key.',
    {
      type: 'string',
      const: 'true',
    },
  ),
  Allow: header('The methods that the path takes.'),
};

const references = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const common = (route: Route) => [
  'X-Request-Id',
  ...(route.bucket === null ? [] : ['RateLimit-Policy', 'RateLimit']),
];

export const successHeaders = (route: Route): JsonObject => ({
  ...references([
    ...common(route),
    ...(route.side === 'write' ? ['X-Service-Position'] : []),
    ...(route.body === undefined ? [] : ['x-service-unknown-fields']),
    ...(route.idempotencyKey ? ['Idempotency-Replayed'] : []),
  ]),
  ...Object.fromEntries(
    Object.entries(route.success.headers ?? {}).map(([name, description]) => [name, header(description)]),
  ),
});

const retriable: ReadonlySet<number> = new Set([429, 503]);

export const problemHeaderNames = (route: Route, status: number): JsonObject =>
  references([
    ...(status === 401 ? ['X-Request-Id'] : common(route)),
    ...(retriable.has(status) ? ['Retry-After'] : []),
  ]);
