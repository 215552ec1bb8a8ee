import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { Pool } from 'undici';
import { refuse } from '../../contracts/problems.ts';
import type { Side } from '../../contracts/routes/index.ts';
import type { InternalTls } from '../internal-tls/index.ts';
import { requestIdFrom, routeFor, writeProblem } from '../http/index.ts';
import { forward } from './forward.ts';
import type { Console } from './console.ts';
import { createStatusCopy } from './status-copy.ts';
import { createVideoPassage } from './video.ts';

export interface GatewayOptions {
  readonly writeUrl: string;
  readonly readUrl: string;
  /** How upstreams are reached that take callers with a certificate alone. */
  readonly tls?: InternalTls | undefined;
  /** What it serves itself; nothing when absent. */
  readonly console?: Console | undefined;
  /** Problem types are `<errorsBase>/<slug>`. */
  readonly errorsBase: string;
  readonly logger: Logger;
  /** Whether to trust an inbound `X-Forwarded-For`: only behind a proxy of the operator's. Default false. */
  readonly trustForwarded?: boolean;
  /** Longest wait for the head of an answer; longer than any operation may take. Default 150 s. */
  readonly answerTimeoutMs?: number;
  /** The same for what takes minutes: longer than the longest plan may. Default 2 h. */
  readonly longAnswerTimeoutMs?: number;
  /** Connections to each upstream. Default 512; what lasts has connections of its own, so that it keeps no other request waiting. */
  readonly connections?: number;
}

/** Seconds a caller is asked to wait while an upstream is away. */
const retryAfterSeconds = 1;

/**
 * One base address for both APIs: each request goes to the side that the table names, everything unknown to the read
 * side. Health and metrics are answered before it. Nothing is ever sent twice; whether a failed write happened is for
 * the caller's `Idempotency-Key` to settle. The public status alone is answered from a copy.
 */
export function createGateway(options: GatewayOptions) {
  const { logger, errorsBase, trustForwarded = false } = options;
  const upstreams = connectUpstreams(options);
  const statusCopy = createStatusCopy(upstreams.usual.read);
  const video = createVideoPassage({ write: upstreams.usual.write, tls: options.tls, logger });
  const endless = new Set<() => void>();
  const keepEndless = (response: ServerResponse) => (end: () => void) => {
    endless.add(end);
    response.once('close', () => endless.delete(end));
  };

  const relay = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (video.answers(request, response)) return;
    const requestId = requestIdFrom(request.headers['x-request-id']);
    const path = pathOf(request);
    const { side = 'read', lasts } = routeFor(request.method ?? 'GET', path) ?? {};
    const onStream = lasts === 'endless' ? keepEndless(response) : undefined;
    const upstream = upstreams[lasts === undefined ? 'usual' : 'lasting'][side];
    try {
      if (statusCopy.isFor(request.method, path)) return await statusCopy.answer(response, requestId);
      await forward(upstream, request, response, { requestId, trustForwarded, onStream });
    } catch (error) {
      if (response.destroyed || response.writableEnded) return;
      logger.warn({ err: error, request_id: requestId, side }, 'Upstream gave no answer.');
      if (response.headersSent) response.destroy();
      else writeProblem(response, unavailable(), { errorsBase, requestId });
    }
  };
  return {
    listener: (request: IncomingMessage, response: ServerResponse): void => {
      if (!options.console?.handle(request, response)) void relay(request, response);
    },
    /** A request for a socket: live view, and nothing else. */
    upgrade: video.upgrade,
    /** Ends the streams that go on for as long as they are read. */
    drain: () => [...endless, video.drain].forEach((end) => end()),
    /** Ends the connections upstream once their requests are done. */
    close: async () => {
      const pools = Object.values(upstreams).flatMap(({ write, read }) => [write, read]);
      for (const pool of pools) if (!pool.closed) await pool.close();
      await video.close();
    },
  };
}

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/';

/** Heartbeats keep a stream within the limit of its body. */
function connectUpstreams({
  writeUrl,
  readUrl,
  tls,
  answerTimeoutMs = 150_000,
  longAnswerTimeoutMs = 2 * 3_600_000,
  connections = 512,
}: GatewayOptions): Record<'usual' | 'lasting', Record<Side, Pool>> {
  const pools = (limits: Pool.Options): Record<Side, Pool> => {
    const all = {
      ...{ bodyTimeout: answerTimeoutMs, keepAliveTimeout: 10_000, ...limits },
      ...(tls && { connect: tls.connect }),
    };
    return { write: new Pool(writeUrl, all), read: new Pool(readUrl, all) };
  };
  return {
    usual: pools({ connections, headersTimeout: answerTimeoutMs }),
    lasting: pools({ connections: null, headersTimeout: longAnswerTimeoutMs }),
  };
}

const unavailable = () =>
  refuse(
    'feature-unavailable',
    'This part of the service is away for a moment. A write may have happened: repeat it with its Idempotency-Key.',
    { retry_after_seconds: retryAfterSeconds },
  );
