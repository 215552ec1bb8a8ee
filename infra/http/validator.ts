import type { Route } from '../../contracts/routes/index.ts';
import { explainer, failuresOf, type Find, type Input } from './explanation.ts';
import { invalid } from './problem.ts';

export type Validate = (input: Input) => Promise<Pick<Input, 'query' | 'body'>>;

/**
 * Checks requests of one route against its schemas, fills in defaults, and refuses with every field that fails. Compiled at
 * the first request; nothing that a client sends is kept.
 */
export function requestValidator(route: Route): Validate {
  if (!route.body && !route.query && !route.idempotencyKey)
    return async () => ({ query: {}, body: undefined });
  let find: Find | undefined;
  const explain = explainer(route);
  const declared = Object.keys(route.query ?? {});
  return async ({ query, headers, body }) => {
    const given = declared.filter((name) => query[name] !== undefined);
    const request = {
      query: Object.fromEntries(given.map((name) => [name, query[name]])),
      headers: idempotencyKeyIn(headers),
      body,
    };
    find ??= failuresOf(route, false);
    if (find(request).length > 0) throw invalid(...explain(request));
    return request;
  };
}

/** The other headers are any string to a schema; they are checked where they mean something. */
const idempotencyKeyIn = (headers: Input['headers']): Input['headers'] =>
  headers['idempotency-key'] === undefined ? {} : { 'idempotency-key': headers['idempotency-key'] };
