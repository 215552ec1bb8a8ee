import type { RequestHandler, Response } from 'express';
import type { Route } from '../../contracts/routes/index.ts';
import type { Bucket } from '../../contracts/rate-buckets.ts';
import { assertActingAccount, assertScope, spend } from './admission.ts';
import { jsonBodyOf } from './body.ts';
import { factsOf } from './edge.ts';
import { assertStorableQuery } from './text.ts';
import type { Identity, RateVerdict, Reply, RequestFacts } from './types.ts';
import { requestValidator } from './validator.ts';

/** A handler once its route no longer matters: what it gets was checked against that route. */
export interface AnyHandler {
  readonly exists?: (caller: unknown, params: object, request: RequestFacts) => Promise<unknown>;
  readonly run: (call: object) => Promise<Reply>;
}

export interface EndpointOptions<Caller extends Identity> {
  readonly authenticate: (request: RequestFacts) => Promise<Caller>;
  readonly limit: (caller: Caller, bucket: Bucket) => Promise<RateVerdict>;
  readonly bodyLimitBytes: number;
  readonly send: (response: Response, route: Route, reply: Reply) => Promise<void>;
}

/** One route of the table as express runs it. The order of the refusals is the contract's: 401, 403, 429, 404, 400. */
export function endpoint<Caller extends Identity>(
  route: Route,
  handler: AnyHandler,
  { authenticate, limit, bodyLimitBytes, send }: EndpointOptions<Caller>,
): RequestHandler {
  const validate = requestValidator(route);
  const readBody = jsonBodyOf(route, bodyLimitBytes);
  return async (req, res) => {
    const request = factsOf(route, req, res);
    const caller = route.scopes === null ? null : await authenticate(request);
    if (caller !== null) {
      assertScope(route, caller);
      if (route.bucket !== null) await spend(limit, caller, route.bucket, res);
      assertActingAccount(route, caller, request.header('x-service-account'));
    }
    const found = await handler.exists?.(caller, req.params, request);
    assertStorableQuery(req.originalUrl);
    const sent = await readBody(req, res);
    const { query, body } = await validate({ query: req.query, headers: req.headers, body: sent });
    await send(res, route, await handler.run({ caller, params: req.params, query, body, found, request }));
  };
}
