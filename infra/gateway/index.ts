import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { Pool } from 'undici';
import { refuse } from '../../contracts/problems.ts';
import type { Side } from '../../contracts/routes/index.ts';
import { requestIdFrom, routeFor, writeProblem } from '../http/index.ts';
import { forward } from './forward.ts';

export interface GatewayOptions {
  readonly writeUrl: string;
  readonly readUrl: string;
  /** Problem types are `<errorsBase>/<slug>`. */
  readonly errorsBase: string;
  readonly logger: Logger;
  /** Whether to believe an inbound `X-Forwarded-For`: only behind a proxy of the operator's. Default false. */
  readonly trustForwarded?: boolean;
  /** Longest wait for the head of an answer, but of routes that take long; longer than any operation may take. Default 150 s. */
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

/**
 * One base address for both APIs: each request goes to the side that the table names, everything unknown to the read
 * side. Health and metrics are answered before it. Nothing is ever sent twice; whether a failed write happened is for
 * the caller's `Idempotency-Key` to settle.
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

  const relay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = requestIdFrom(request.headers['x-request-id']);
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const { side = 'read', takesLong = false } = routeFor(request.method ?? 'GET', path) ?? {};
    try {
      await forward(upstreams[side], request, response, { requestId, trustForwarded, takesLong });
    } catch (error) {
      if (response.destroyed) return;
      logger.warn({ err: error, request_id: requestId, side }, 'Upstream gave no answer.');
      if (response.headersSent) response.destroy();
      else writeProblem(response, unavailable(), { errorsBase, requestId });
    }
  };
  return {
    listener: (request, response) => void relay(request, response),
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
