import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../../contracts/problems.ts';
import { namesUnknownFields } from '../../contracts/route.ts';
import type { Route } from '../../contracts/routes/index.ts';
import type { Bucket } from '../../contracts/rate-buckets.ts';
import { bodyReader, parseJson, type JsonBody } from './body.ts';
import { assertActingAccount, assertScope } from './guard.ts';
import { edgeOf } from './locals.ts';
import { invalid } from './problem.ts';
import { spend } from './rate.ts';
import { assertStorableQuery } from './text.ts';
import type { Identity, RateVerdict, Reply, RequestFacts } from './types.ts';
import { declaredFields, unknownFields } from './unknown-fields.ts';
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

/** Reads what the route declares as its body and names the fields it does not declare. No body reads as `{}`. */
function jsonBodyOf(route: Route, limitBytes: number) {
  const { body: schema } = route;
  const read = bodyReader(limitBytes);
  const declared = declaredFields(schema);
  const parsedBody = async (req: Request, res: Response): Promise<JsonBody | undefined> => {
    const body = parseJson(await read(req, res), req.headers['content-type']);
    const ignored = body && namesUnknownFields(route) ? unknownFields(body, declared) : undefined;
    if (ignored !== undefined) res.setHeader('x-service-unknown-fields', ignored);
    return body;
  };
  if (schema === undefined) {
    return namesUnknownFields(route) ? withoutRefusing(parsedBody) : async () => undefined;
  }
  return async (req: Request, res: Response): Promise<unknown> => {
    const body = await parsedBody(req, res);
    if (body !== undefined) return body.value;
    if (route.bodyRequired !== true) return {};
    throw invalid({ path: '/body', code: 'required', message: 'is required' });
  };
}

/** A body that a route does not declare may be anything: it is read for the names of its fields alone. */
const withoutRefusing =
  (read: (req: Request, res: Response) => Promise<unknown>) =>
  async (req: Request, res: Response): Promise<undefined> => {
    try {
      await read(req, res);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  };

const longestUserAgent = 500;

function factsOf(route: Route, req: Request, res: Response): RequestFacts {
  const header = (name: string) => {
    const value = req.headers[name.toLowerCase()];
    return typeof value === 'string' ? value : value?.join(', ');
  };
  return {
    id: edgeOf(res).requestId,
    ip: req.ip ?? null,
    userAgent: header('user-agent')?.slice(0, longestUserAgent) ?? null,
    idempotencyKey: (route.idempotencyKey && header('idempotency-key')) ?? null,
    header,
  };
}
