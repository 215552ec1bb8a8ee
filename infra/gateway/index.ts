import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type Router } from 'express';
import type { Logger } from 'pino';
import { Pool } from 'undici';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import type { Side } from '../../contracts/routes.ts';
import { problemBody, problemHeaders, requestIdFrom, routeFor } from '../http/index.ts';
import { forward } from './forward.ts';

export interface GatewayOptions {
  readonly writeUrl: string;
  readonly readUrl: string;
  /** Problem types are `<errorsBase>/<slug>`. */
  readonly errorsBase: string;
  readonly logger: Logger;
  /** Served here instead of upstream, at `/metrics`. */
  readonly operations?: Router;
  /** Whether to believe an inbound `X-Forwarded-For`: only behind a proxy of the operator's. Default false. */
  readonly trustForwarded?: boolean;
  /** Longest wait for the head of an answer; longer than any operation may take. Default 150 s. */
  readonly answerTimeoutMs?: number;
  /** Connections to each upstream. Default 512. */
  readonly connections?: number;
}

export interface Gateway {
  readonly listener: RequestListener;
  /** Ends the connections upstream once their requests are done. */
  readonly close: () => Promise<void>;
}

/** Seconds a caller is asked to wait while an upstream is away. */
const retryAfterSeconds = 1;
const readyTimeoutMs = 2000;

/**
 * One base address for both APIs: each request goes to the side that the table names, everything unknown to the read
 * side. Nothing is ever sent twice; whether a failed write happened is for the caller's `Idempotency-Key` to settle.
 */
export function createGateway(options: GatewayOptions): Gateway {
  const {
    logger,
    errorsBase,
    trustForwarded = false,
    answerTimeoutMs = 150_000,
    connections = 512,
  } = options;
  const pool = (url: string) =>
    new Pool(url, {
      connections,
      headersTimeout: answerTimeoutMs,
      bodyTimeout: answerTimeoutMs,
      keepAliveTimeout: 10_000,
    });
  const upstreams: Record<Side, Pool> = { write: pool(options.writeUrl), read: pool(options.readUrl) };
  const own = ownPaths(upstreams, errorsBase, options.operations);

  const relay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = requestIdFrom(request.headers['x-request-id']);
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const side = routeFor(request.method ?? 'GET', path)?.side ?? 'read';
    try {
      await forward(upstreams[side], request, response, { requestId, trustForwarded });
    } catch (error) {
      if (response.destroyed) return;
      logger.warn({ err: error, request_id: requestId, side }, 'upstream gave no answer');
      if (response.headersSent) response.destroy();
      else answer(response, unavailable(), { errorsBase, requestId });
    }
  };
  return {
    listener: (request, response) => {
      if (ownPathNames.has(request.url ?? '')) own(request, response);
      else void relay(request, response);
    },
    close: async () => {
      for (const upstream of [upstreams.write, upstreams.read]) if (!upstream.closed) await upstream.close();
    },
  };
}

const unavailable = () =>
  refuse(
    'feature-unavailable',
    'This part of the service is away for a moment. A write may have happened: repeat it with its Idempotency-Key.',
    { retry_after_seconds: retryAfterSeconds },
  );

function answer(
  response: ServerResponse,
  refusal: Refusal,
  names: { errorsBase: string; requestId: string },
): void {
  const body = problemBody(refusal, names);
  response.writeHead(body.status, { ...problemHeaders(refusal), 'X-Request-Id': names.requestId });
  response.end(JSON.stringify(body));
}

const ownPathNames: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** What the gateway answers itself, whether or not its upstreams are there. */
function ownPaths(
  upstreams: Record<Side, Pool>,
  errorsBase: string,
  operations: Router | undefined,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    response.setHeader('X-Request-Id', requestIdFrom(request.headers['x-request-id']));
    next();
  });
  if (operations) app.use(operations);
  app.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/readyz', async (_request, response) => {
    const [write, read] = await Promise.all([isReady(upstreams.write), isReady(upstreams.read)]);
    response.status(write && read ? 200 : 503).json({ ready: write && read, write, read });
  });
  app.use((_request, response) =>
    answer(response, refuse('not-found'), {
      errorsBase,
      requestId: String(response.getHeader('X-Request-Id')),
    }),
  );
  return app;
}

async function isReady(upstream: Pool): Promise<boolean> {
  try {
    const { statusCode, body } = await upstream.request({
      method: 'GET',
      path: '/readyz',
      signal: AbortSignal.timeout(readyTimeoutMs),
    });
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}
