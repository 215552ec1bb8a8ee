import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { Pool, fetch } from 'undici';
import type { Fetch } from '../../contracts/client/index.ts';
import { hourMs } from '../../contracts/durations.ts';
import { Refusal, refuse } from '../../contracts/problems.ts';
import type { Route, RouteId, Side } from '../../contracts/routes/index.ts';
import type { InternalTls } from '../internal-tls/index.ts';
import { serving } from '../tracing/index.ts';
import { pathIn, requestIdFrom, routeFor, writeProblem } from '../http/index.ts';
import { forward, forwardedFor, type Forwarding, type Headers } from './forward.ts';
import type { Console } from './console.ts';
import { createMcpEndpoint, type McpEndpointOptions } from './mcp.ts';
import { Shares } from './shares.ts';
import { createStatusCopy } from './status-copy.ts';
import { createVideoProxy } from './video.ts';

/** `broken`: the answer was cut off. `heartbeat`: the 503 that tells who reports input that it is not carried out. */
export type AnswerStatus = number | 'broken' | 'heartbeat';

export interface GatewayOptions {
  readonly writeUrl: string;
  readonly readUrl: string;
  /** Client certificate for upstreams that require one. */
  readonly tls?: InternalTls | undefined;
  /** The console; undefined: not served. */
  readonly console?: Console | undefined;
  /** Public URLs for the MCP tools; undefined: not served. */
  readonly mcp?: Pick<McpEndpointOptions, 'baseUrl' | 'consoleUrl' | 'onCalled'> | undefined;
  /** Problem types are `<errorsBase>/<slug>`. */
  readonly errorsBase: string;
  readonly logger: Logger;
  /** Called once per request that was forwarded to, or answered for, an API. */
  readonly onAnswered?: (side: Side, status: AnswerStatus) => void;
  /** Whether to trust an inbound `X-Forwarded-For`: only behind a proxy of the operator's. Default false. */
  readonly trustForwarded?: boolean;
  /** Timeout for the head of an answer; longer than any operation. Default 150 s. */
  readonly answerTimeoutMs?: number;
  /** The same for routes that take minutes: longer than the longest plan. Default 2 h. */
  readonly longAnswerTimeoutMs?: number;
  /**
   * Maximum connections per upstream, of which an address of a client occupies at most an eighth. Default 2,048; long-lasting answers have
   * a separate pool, so that they block no other request.
   */
  readonly connections?: number;
}

const usualConnections = 2_048;
/** One household has several addresses, of IPv4 and of IPv6. */
const shareOfAddress = 1 / 8;

/** Requests of one address that wait for a connection to an upstream. */
const mostWaiting = 1_000;

/** `Retry-After` in seconds while an upstream is unavailable. */
const retryAfterSeconds = 1;

/**
 * One base URL for both APIs: each request goes to its side in the table, unknown paths to the read side. Health and
 * metrics are answered before. Nothing is retried: after a failed write, the caller repeats it with its
 * `Idempotency-Key`. Only the public status is answered from a cache.
 */
export function createGateway(options: GatewayOptions) {
  const upstreams = connectUpstreams(options);
  const statusCopy = createStatusCopy(upstreams.usual.read);
  const video = createVideoProxy({
    write: upstreams.usual.write,
    writeUrl: options.writeUrl,
    tls: options.tls,
    logger: options.logger,
    trustForwarded: options.trustForwarded,
  });
  const mcp = createMcp(options, upstreams);
  const endless = new Set<() => void>();
  const relaying = { ...options, upstreams, shares: sharesOf(options), statusCopy, endless };
  return {
    listener: (request: IncomingMessage, response: ServerResponse): void => {
      if (options.console?.handle(request, response) || video.answers(request, response)) return;
      if (mcp?.handle(request, response) !== true) relay(relaying, request, response);
    },
    /** Upgrades to WebSocket, only for live view. */
    upgrade: video.upgrade,
    /** Number of running MCP requests. */
    toolRequests: () => mcp?.open() ?? 0,
    /** Ends all endless streams. */
    drain: () => [...endless, video.drain].forEach((end) => end()),
    /** Closes upstream connections once their requests are done. */
    close: async () => {
      await mcp?.close();
      const pools = Object.values(upstreams).flatMap(({ write, read }) => [write, read]);
      for (const pool of pools) if (!pool.closed) await pool.close();
      await video.close();
    },
  };
}

interface Relaying extends GatewayOptions {
  readonly upstreams: Upstreams;
  readonly shares: Record<Side, Shares>;
  readonly statusCopy: ReturnType<typeof createStatusCopy>;
  /** Functions that end open streams. */
  readonly endless: Set<() => void>;
}

interface Asked {
  readonly requestId: string;
  readonly route: Route | undefined;
}

/** Starts a new trace: a client's trace header could choose what is sampled. */
function relay(relaying: Relaying, request: IncomingMessage, response: ServerResponse): void {
  const { method = 'GET' } = request;
  const requestId = requestIdFrom(request.headers['x-request-id']);
  const route = routeFor(method, pathIn(request));
  const served = {
    method,
    parent: undefined,
    route: () => route?.path,
    about: () => ({ request_id: requestId }),
  };
  serving(response, served, () => void answer(relaying, request, response, { requestId, route }));
}

async function answer(
  relaying: Relaying,
  request: IncomingMessage,
  response: ServerResponse,
  asked: Asked,
): Promise<void> {
  const { errorsBase, logger, onAnswered } = relaying;
  const { requestId, route } = asked;
  const side = route?.side ?? 'read';
  let isHeartbeat = false;
  response.once('finish', () => onAnswered?.(side, isHeartbeat ? 'heartbeat' : response.statusCode));
  const onHead = (status: number, headers: Headers): void => {
    isHeartbeat = refusesInput(route, status, headers);
  };
  try {
    await relayed(relaying, request, response, { ...asked, onHead });
  } catch (error) {
    if (response.destroyed || response.writableEnded) return;
    if (error instanceof Refusal) return writeProblem(response, error, { errorsBase, requestId });
    logger.warn({ err: error, request_id: requestId, side }, 'An upstream did not answer.');
    if (!response.headersSent) return writeProblem(response, unavailable(), { errorsBase, requestId });
    onAnswered?.(side, 'broken');
    response.destroy();
  }
}

const inputEvents: RouteId = 'agent-sessions.input-event';

/** A 503 with `Retry-After` is a failure on this route, too. */
const refusesInput = (route: Route | undefined, status: number, headers: Headers): boolean =>
  route?.id === inputEvents && status === 503 && headers['retry-after'] === undefined;

async function relayed(
  { upstreams, shares, statusCopy, endless, trustForwarded = false }: Relaying,
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, route, onHead }: Asked & Pick<Forwarding, 'onHead'>,
): Promise<void> {
  if (statusCopy.isFor(request)) return statusCopy.answer(response, requestId);
  const { side = 'read', lasts } = route ?? {};
  const onStream = (end: () => void) => {
    endless.add(end);
    response.once('close', () => endless.delete(end));
  };
  const address = forwardedFor(request, trustForwarded);
  const forwarding = { requestId, address, onHead, onStream: lasts === 'endless' ? onStream : undefined };
  if (lasts !== undefined) return forward(upstreams.lasting[side], request, response, forwarding);
  return shares[side].within(address, async () => {
    // The client may have left while it waited.
    if (!response.destroyed) await forward(upstreams.usual[side], request, response, forwarding);
  });
}

function createMcp(options: GatewayOptions, upstreams: Upstreams) {
  const { mcp, errorsBase, logger, trustForwarded = false } = options;
  if (mcp === undefined) return undefined;
  return createMcpEndpoint({
    ...{ ...mcp, errorsBase, logger, fetchFor: fetchOn(options, upstreams) },
    addressOf: (request) => forwardedFor(request, trustForwarded),
  });
}

/** Requests of the gateway itself, on behalf of a client address, to the side in the table. */
const fetchOn =
  ({ writeUrl, readUrl }: GatewayOptions, upstreams: Upstreams) =>
  (address: string): Fetch => {
    const send = (url: string, { headers, ...init }: Parameters<Fetch>[1]) => {
      const { pathname, search } = new URL(url);
      const { side = 'read', lasts } = routeFor(init.method, pathname) ?? {};
      const dispatcher = upstreams[lasts === undefined ? 'usual' : 'lasting'][side];
      const place = new URL(`${pathname}${search}`, side === 'write' ? writeUrl : readUrl);
      return fetch(place, { ...init, headers: { ...headers, 'x-forwarded-for': address }, dispatcher });
    };
    return send;
  };

type Upstreams = Record<'usual' | 'lasting', Record<Side, Pool>>;

function sharesOf({ connections = usualConnections }: GatewayOptions): Record<Side, Shares> {
  const limits = { atOnce: Math.ceil(connections * shareOfAddress), mostWaiting };
  return { write: new Shares(limits), read: new Shares(limits) };
}

/** Heartbeats keep a stream within its body timeout. */
function connectUpstreams({
  writeUrl,
  readUrl,
  tls,
  answerTimeoutMs = 150_000,
  longAnswerTimeoutMs = 2 * hourMs,
  connections = usualConnections,
}: GatewayOptions): Upstreams {
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
    'This part of the service is temporarily unavailable. A write may have taken effect: repeat it with its Idempotency-Key.',
    { retry_after_seconds: retryAfterSeconds },
  );
