import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express, { Router, type Express, type Request, type RequestHandler } from 'express';
import { routes, type Route, type Side } from '../../contracts/routes/index.ts';
import { hasSecureCookies } from '../../contracts/web-cookies.ts';
import { limitingAttempts, type AttemptLimiter } from './authentication.ts';
import { ownCookies } from './cookies.ts';
import { endpoint, type AnyHandler } from './endpoint.ts';
import { edgeOf, requestIdFrom, type Edge } from './edge.ts';
import { answersHead, decodableTarget, expressPath, groupOf, isAt, answerUnrouted } from './paths.ts';
import { logFields, serving, type TracedRequest } from '../tracing/index.ts';
import { answerProblems } from './problem.ts';
import { reference } from './reference.ts';
import { checkNothing, replyCheck } from './reply-check.ts';
import { sender } from './send.ts';
import type { ApiOptions } from './api-options.ts';
import type { Identity } from './types.ts';

const uncounted: AttemptLimiter = { assertAllowed: async () => undefined, failed: async () => undefined };
const mebibyte = 1024 * 1024;

/** One side of the API as an express app. Throws if the handlers and the table's routes differ. */
export function createApi<S extends Side, Caller extends Identity>(options: ApiOptions<S, Caller>): Express {
  const { errorsBase, baseUrl, models, deprecations, logger } = options;
  const { bodyLimitBytes = mebibyte } = options;
  const { spoolDirectory = join(tmpdir(), 'service-spool') } = options;
  const admitting = {
    ...options,
    origins: baseUrl === undefined ? [] : [new URL(baseUrl).origin],
    authenticate: limitingAttempts(options.authenticate, options.attempts ?? uncounted),
  };
  const failed = (err: unknown, request_id: string) => logger.error({ err, request_id }, 'Request failed.');
  const send = sender({ errorsBase, check: options.checkReplies ? replyCheck(errorsBase) : checkNothing });
  const app = bareApp();
  app.use(identified(options));
  if (options.operations) app.use(options.operations);
  // Express would answer OPTIONS itself, from its own routes.
  app.use((req, res, next) => (req.method === 'OPTIONS' ? answerUnrouted(req, res, next) : next()));
  app.use(reference({ errorsBase, baseUrl, models, deprecations }));
  const { routerOf, route: toItsGroup } = groupedRouters();
  for (const [route, handler] of pairUp(options.side, options.handlers)) {
    const method = route.method.toLowerCase() as Lowercase<Route['method']>;
    const reading = { bodyLimitBytes, spoolDirectory };
    const run = endpoint(route, handler, { ...admitting, ...reading, errorsBase, failed, send: send.reply });
    routerOf(route)[method](expressPath(route.path), (req, res, next) => {
      // Express serves HEAD on every GET route.
      if (req.method === 'HEAD' && !answersHead(route)) return next();
      if (!isAt(route, req.path)) return next();
      edgeOf(res).route = route;
      return run(req, res, next);
    });
  }
  app.use(toItsGroup);
  app.use(answerUnrouted);
  app.use(answerProblems(send.problem, logger));
  return app;
}

/**
 * A router per group of routes, because express compares a request with every route before its own; `route` passes a request to its
 * group's.
 */
export function groupedRouters() {
  const routers = new Map<string, Router>();
  const routerOf = ({ path }: Pick<Route, 'path'>): Router => {
    const known = routers.get(groupOf(path));
    const router = known ?? Router({ caseSensitive: true, strict: true });
    if (known === undefined) routers.set(groupOf(path), router);
    return router;
  };
  const route: RequestHandler = (req, res, next) => {
    const router = routers.get(groupOf(req.path));
    if (router === undefined) next();
    else router(req, res, next);
  };
  return { routerOf, route };
}

function bareApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  // Requests come only from the gateway, which sets `X-Forwarded-For`.
  app.set('trust proxy', 1);
  return app;
}

function identified({
  onServed,
  baseUrl,
}: Pick<ApiOptions<Side, Identity>, 'onServed' | 'baseUrl'>): RequestHandler {
  const isSecure = hasSecureCookies(baseUrl);
  return (req, res, next) => {
    const startedAt = performance.now();
    const edge = edgeOf(res);
    req.headers.cookie = ownCookies(req.headers.cookie, isSecure, Date.now());
    if (req.url.includes('%')) req.url = decodableTarget(req.url);
    edge.requestId = requestIdFrom(req.headers['x-request-id']);
    res.setHeader('X-Request-Id', edge.requestId);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', 'no-store');
    if (onServed) {
      res.once('finish', () =>
        onServed({
          requestId: edge.requestId,
          accountId: edge.accountId ?? null,
          routeId: edge.route?.id ?? null,
          method: req.method,
          status: res.statusCode,
          milliseconds: (edge.openedAt ?? performance.now()) - startedAt,
          traceId: edge.traceId,
          isOwn: isOwn(req),
        }),
      );
    }
    if (isOwn(req)) return next();
    serving(res, servedBy(req, edge), () => {
      edge.traceId = logFields().trace_id;
      next();
    });
  };
}

/** A call of another process of the service, such as a heartbeat. */
const isOwn = ({ path }: Request): boolean => path.startsWith('/internal/');

/** For the trace. Requests come only from the gateway, which drops clients' trace headers. */
const servedBy = (req: Request, edge: Edge): TracedRequest => ({
  method: req.method,
  parent: req.get('traceparent'),
  route: () => edge.route?.path,
  about: () => ({ request_id: edge.requestId, account_id: edge.accountId }),
});

/** Pairs each route of the side with its handler; throws for one without the other. */
function pairUp(side: Side, handlers: object): [Route, AnyHandler][] {
  const given = new Map<string, AnyHandler>(Object.entries(handlers));
  const pairs = routes
    .filter((route) => route.side === side)
    .map((route): [Route, AnyHandler] => {
      const handler = given.get(route.id);
      if (!handler) throw new Error(`The ${side} API has no handler for ${route.id}.`);
      given.delete(route.id);
      return [route, handler];
    });
  if (given.size > 0) throw new Error(`The ${side} API has no route for ${[...given.keys()].join(', ')}.`);
  return pairs;
}
