import type { Request, RequestHandler, Response } from 'express';
import { isAddressBucket } from '../../contracts/rate-buckets.ts';
import type { Route } from '../../contracts/routes/index.ts';
import type { Spooled } from '../platform/spool.ts';
import { actingFor, spendOwnerToken, type FindTeamCaller, type Acting } from './acting.ts';
import { assertConfirmed, assertScope, spendToken, type RateLimiter } from './admission.ts';
import { usesCookie } from './authentication.ts';
import { bodyReader, jsonBodyOf } from './body.ts';
import { assertOwnOrigin } from './cookies.ts';
import { deprecationOf, type DeprecationOptions } from './deprecation.ts';
import { edgeOf, factsOf, type Edge } from './edge.ts';
import { acceptsEventStream } from './event-stream.ts';
import { framedAnswer } from './framed-answer.ts';
import { withOAuthErrors } from './oauth-errors.ts';
import { largeBodyOf } from './large-body.ts';
import { invalid } from './problem.ts';
import { assertStorableQuery } from './text.ts';
import type { Confirmation, Identity, Reply, RequestFacts } from './types.ts';
import { spooledBodyOf, type SpoolingOptions } from './spooled-body.ts';
import { requestValidator } from './validator.ts';

/** A handler without its route's types: its input was validated against the route. */
export interface AnyHandler {
  readonly exists?: (caller: unknown, params: object, request: RequestFacts) => Promise<unknown>;
  readonly run: (call: object) => Promise<Reply>;
}

export interface EndpointOptions<Caller extends Identity> extends RateLimiter<Caller>, DeprecationOptions {
  readonly authenticate: (request: RequestFacts) => Promise<Caller>;
  readonly confirmation?: ((caller: Caller) => Promise<Confirmation>) | undefined;
  /** Undefined: no teams. */
  readonly findTeamCaller?: FindTeamCaller<Caller> | undefined;
  /** Origins of pages that may send cookies. */
  readonly origins: readonly string[];
  readonly bodyLimitBytes: number;
  readonly spoolDirectory: string;
  /** Problem types are `<errorsBase>/<slug>`. */
  readonly errorsBase: string;
  /** Called with an unexpected error after the answer has started. */
  readonly failed: (error: unknown, requestId: string) => void;
  readonly send: (response: Response, route: Route, reply: Reply) => Promise<void>;
}

/**
 * One route of the table for express. Refuses in this order: 401, 403 for the scope, 429, 403 for the team or the second factor, 404, 400.
 */
export function endpoint<Caller extends Identity>(
  route: Route,
  handler: AnyHandler,
  options: EndpointOptions<Caller>,
): RequestHandler {
  const { send } = options;
  const admit = admission(route, options);
  const validate = requestValidator(route);
  const readBody = bodyOf(route, options);
  const deprecation = deprecationOf(route, options);
  const replyTo = async (req: Request, res: Response, admitted: Admitted<Caller>, begun: () => void) => {
    const { request, caller } = admitted;
    const found = await handler.exists?.(caller, req.params, request);
    assertStorableQuery(req.originalUrl);
    assertNoPast(route, req.query);
    const { value: sent, release, ...content } = await readBody(req, res, caller);
    try {
      deprecation?.record(caller, sent);
      const { query, body } = await validate({ query: req.query, headers: req.headers, body: sent });
      const { params } = req;
      edgeOf(res).mayHaveChanged = changeOf(route, request);
      return await handler.run({ caller, params, query, body, ...content, found, request, begun });
    } finally {
      await content.file?.close();
      release?.();
    }
  };
  const answer = async (req: Request, res: Response): Promise<void> => {
    deprecation?.announce(res);
    const request = factsOf(route, req, res);
    const admitted = { request, caller: await admit(request, res) };
    if (admitted.caller !== null) edgeOf(res).accountId = admitted.caller.accountId;
    const reply = (begun: () => void) => replyTo(req, res, admitted, begun);
    const isFramed = route.lasts === 'minutes' && acceptsEventStream(request);
    const mayHaveChanged = () => edgeOf(res).mayHaveChanged;
    const framing = { ...options, requestId: request.id, success: route.success.status, mayHaveChanged };
    await send(res, route, await (isFramed ? framedAnswer(reply, framing) : reply(() => undefined)));
  };
  return route.oauth ? withOAuthErrors(answer) : answer;
}

/** What the answer to an error says of a change that has begun. */
const changeOf = ({ method }: Route, { idempotencyKey }: RequestFacts): Edge['mayHaveChanged'] =>
  method === 'GET' ? undefined : idempotencyKey === null ? 'unkeyed' : 'keyed';

/**
 * Refuses `as_of` where the route does not have it, instead of answering with the present. Other unknown parameters are ignored.
 */
function assertNoPast({ method, query = {} }: Route, given: Request['query']): void {
  if (method !== 'GET' || given.as_of === undefined || 'as_of' in query) return;
  throw invalid({
    path: '/query/as_of',
    code: 'unsupported',
    message: 'is only accepted on routes of a single resource',
  });
}

/** An authorised request. */
interface Admitted<Caller> {
  readonly request: RequestFacts;
  readonly caller: Caller | null;
}

interface ReadContent {
  readonly value: unknown;
  readonly file?: Spooled | null;
  readonly bytes?: Buffer;
  /** Called once the value is no longer needed. */
  readonly release?: () => void;
}

type ReadBody = (req: Request, res: Response, caller: Identity | null) => Promise<ReadContent>;

function bodyOf<Caller extends Identity>(
  route: Route,
  { bodyLimitBytes, spoolDirectory }: EndpointOptions<Caller>,
): ReadBody {
  const read = bodyReader(Math.min(bodyLimitBytes, route.raw?.mostBytes ?? bodyLimitBytes));
  if (route.raw)
    return async (req, res) => ({ value: undefined, bytes: (await read(req, res)) ?? Buffer.alloc(0) });
  const readPaid = paidBodyOf(route, { directory: spoolDirectory, bodyLimitBytes });
  if (readPaid === undefined) {
    const readJson = jsonBodyOf(route, read);
    return async (req, res) => ({ value: await readJson(req, res) });
  }
  return (req, res, caller) => {
    if (caller === null) throw new Error(`Nobody pays for the room that ${route.id} takes.`);
    return readPaid(req, res, caller);
  };
}

/** Reads a body that takes much room, on disk and in memory, for which an account pays; undefined if the route has none. */
function paidBodyOf(route: Route, options: SpoolingOptions) {
  const { spools, bodyBytes } = route;
  if (spools !== undefined) return spooledBodyOf(route, spools, options);
  if (bodyBytes === undefined) return undefined;
  const { bodyLimitBytes: usualBytes, directory } = options;
  return largeBodyOf(route, { mostBytes: bodyBytes, usualBytes, directory });
}

/** Authentication, authorisation and rate limits: everything before the request's resource is looked up. */
function admission<Caller extends Identity>(
  route: Route,
  { authenticate, confirmation, findTeamCaller = onNoTeam, origins, ...counting }: EndpointOptions<Caller>,
) {
  if (route.bucket !== null && isAddressBucket(route.bucket) && !counting.limitAddress)
    throw new Error(`Nobody counts the addresses that call ${route.id}.`);
  if (route.stepUp && !confirmation) throw new Error(`Nobody can tell whether ${route.id} is confirmed.`);
  const act = async (caller: Caller, request: RequestFacts): Promise<Acting<Caller>> => {
    const acting = await actingFor(route, caller, request, findTeamCaller);
    if (route.stepUp && confirmation) assertConfirmed(await confirmation(caller));
    return acting;
  };
  return async (request: RequestFacts, response: Response): Promise<Caller | null> => {
    const caller = route.scopes === null ? null : await authenticate(request);
    if (usesCookie(route, request)) assertOwnOrigin(request, origins);
    if (caller !== null) assertScope(route, caller);
    const payer = { caller, address: request.ip ?? 'unknown' };
    // Before the team and the second factor are looked up, so that a caller over its limit causes no look-up.
    if (route.bucket !== null) await spendToken(counting, route.bucket, payer, response);
    if (caller === null) return null;
    const acting = await act(caller, request);
    if ('refusal' in acting) throw acting.refusal;
    if (acting.caller !== caller)
      await spendOwnerToken(counting.limit, acting.caller, route.bucket, response);
    return acting.caller;
  };
}

const onNoTeam = (): Promise<undefined> => Promise.resolve(undefined);
