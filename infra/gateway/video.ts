import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Dispatcher, Pool } from 'undici';
import { VideoJoined, pathOf, videoRoutes } from '../../contracts/fleet/protocol.ts';
import { shape } from '../fleet/shape.ts';
import { pathIn, requestIdFrom } from '../http/index.ts';
import { createNodeAgent, throughControlPlane } from '../fleet/tunnel/node-agent.ts';
import type { InternalTls } from '../internal-tls/index.ts';
import { addressKey } from '../platform/address-key.ts';
import { FairSemaphore } from '../platform/fair-semaphore.ts';
import { bearerToken } from '../platform/presented-secrets.ts';
import {
  UpgradeRefused,
  acceptUpgrade,
  joinSockets,
  refuseUpgrade,
  requestUpgrade,
  type Upgraded,
} from '../platform/upgrade.ts';
import { forwardedFor } from './forward.ts';

/** Paths of live view: two kinds of sockets, and the reason of a refusal. */
const paths = { signalling: '/video/rtc', frames: '/video/frames', reason: '/video/rtc/validate' } as const;

/** Maximum open sockets, concurrent joins, and waiting joins of one client address. */
const limits = { open: 4_000, joining: 128, waiting: 256 };
/** Timeout of a node's answer, in milliseconds. */
const nodeMs = 10_000;
/** Milliseconds between two checks whether a participant may stay. */
const usualStayMs = 10_000;
/** Statuses about a participant: no browser, disconnected recently, or no capacity. */
const participantStatuses: readonly number[] = [404, 429, 503];

/** Headers of a WebSocket request (RFC 6455, 4.1); extensions are per hop, and not used. */
const socketHeaders = ['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-protocol'];

const isJoined = shape(VideoJoined);

/** `Retry-After` in seconds of a 503 that names none. */
const retryAfterSeconds = '2';

class NotAdmitted extends Error {
  readonly status: number;
  readonly retryAfter: string | undefined;

  constructor(status: number, message: string, retryAfter?: string) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export interface VideoProxy {
  /** Answers the request, if it is one of live view. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
  /** False for a request that is not of live view. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Ends all sockets. */
  drain(): void;
  close(): Promise<void>;
}

export interface VideoProxyOptions {
  readonly write: Pick<Pool, 'request'>;
  /** URL of write-api, which forwards to nodes that cannot be called. */
  readonly writeUrl: string;
  readonly tls: InternalTls | undefined;
  readonly logger: Logger;
  /** Whether to take the client address from `X-Forwarded-For`. Default false. */
  readonly trustForwarded?: boolean | undefined;
  readonly stayMs?: number;
}

type LimitedAsk = (route: string, request: IncomingMessage) => Promise<unknown>;

/**
 * Asks write-api about a participant, with limited concurrency: waiting addresses take turns. An IPv6 network counts as one address.
 */
function createLimitedAsk(
  { write, trustForwarded = false }: Pick<VideoProxyOptions, 'write' | 'trustForwarded'>,
  hasRoom: () => boolean,
): LimitedAsk {
  const joining = new FairSemaphore(limits.joining);
  return async (route, request) => {
    const address = addressKey(forwardedFor(request, trustForwarded));
    if (joining.waiting(address) >= limits.waiting) throw tooManyJoin();
    return joining.hold(address, () => {
      // Nobody waits for the answer any longer, or the last place was taken meanwhile.
      if (request.socket.destroyed || !hasRoom()) throw tooManyJoin();
      return ask(write, route, tokenIn(request));
    });
  };
}

const tooManyJoin = (): NotAdmitted => new NotAdmitted(503, 'Too many join at once.');

/**
 * Forwards WebSockets of live view to the node that runs the browser. write-api decides about each join and its node; the node
 * gets a token of its own instead of the participant's.
 */
export function createVideoProxy(options: VideoProxyOptions): VideoProxy {
  const { write, writeUrl, logger, tls, stayMs = usualStayMs } = options;
  const nodes = createNodeAgent({ tls, tunnels: throughControlPlane(writeUrl) });
  const open = new Set<Duplex>();
  const limitedAsk = createLimitedAsk(options, () => open.size < limits.open);
  const admit = async (request: IncomingMessage): Promise<VideoJoined> => {
    const joined = await limitedAsk(videoRoutes.join, request);
    if (!isJoined.is(joined)) throw new Error('write-api did not say where to join.');
    return joined;
  };
  const forward = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const isSocket = [paths.signalling, paths.frames].some((path) => path === pathIn(request));
    if (!isSocket) throw new NotAdmitted(404, 'There is nothing here.');
    const node = await connect(nodes, request, await admit(request));
    // The participant has disconnected meanwhile.
    if (socket.destroyed) return void node.socket.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    acceptUpgrade(socket, node.headers);
    if (head.length > 0) node.socket.write(head);
    joinSockets(socket, node.socket);
    keepAsking(socket, stayMs, () => ask(write, videoRoutes.stay, tokenIn(request)));
  };
  return {
    answers: (request, response) => {
      const path = pathIn(request);
      if (!path.startsWith('/video/')) return false;
      response.setHeader('X-Request-Id', requestIdFrom(request.headers['x-request-id']));
      void explain(path, () => check(limitedAsk, nodes, request), response, logger);
      return true;
    },
    upgrade: (request, socket, head) => {
      if (!pathIn(request).startsWith('/video/')) return false;
      socket.on('error', () => socket.destroy());
      forward(request, socket, head).catch((error: unknown) => refuse(socket, refusalOf(error, logger)));
      return true;
    },
    drain: () => open.forEach((socket) => socket.destroy()),
    close: () => nodes.destroy(),
  };
}

/** Ends the socket of a participant whose token has ended. While write-api is unavailable it stays open. */
function keepAsking(socket: Duplex, everyMs: number, mayStay: () => Promise<unknown>): void {
  const look = async (): Promise<void> => {
    try {
      await mayStay();
    } catch (error) {
      if (error instanceof NotAdmitted && error.status === 401) socket.destroy();
    }
    if (!socket.destroyed) timer = setTimeout(() => void look(), everyMs).unref();
  };
  let timer = setTimeout(() => void look(), everyMs).unref();
  socket.once('close', () => clearTimeout(timer));
}

/** Rejects if a socket would be refused: by write-api or, if the browser runs, by its node. */
async function check(limitedAsk: LimitedAsk, nodes: Dispatcher, request: IncomingMessage): Promise<void> {
  const joined = await limitedAsk(videoRoutes.check, request);
  if (isJoined.is(joined)) await validate(nodes, request, joined);
}

/**
 * LiveKit's libraries recognise a missing room by these words; any other 404 means an older server, which they retry endlessly.
 */
const noRoom = 'requested room does not exist';

/** Sends the reason of a refusal to pages of any origin: the caller has the token. */
async function explain(
  path: string,
  check: () => Promise<void>,
  response: ServerResponse,
  logger: Logger,
): Promise<void> {
  const answer = (status: number, text: string, more: Readonly<Record<string, string>> = {}) => {
    const headers = {
      'content-type': 'text/plain',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'retry-after',
      'cache-control': 'no-store',
    };
    response.writeHead(status, { ...headers, ...more }).end(text);
  };
  if (path !== paths.reason) return answer(404, 'There is nothing here.');
  try {
    await check();
    answer(200, 'success');
  } catch (error) {
    const refused = refusalOf(error, logger);
    const { status, message } = refused;
    answer(status, status === 404 ? `${noRoom}: ${message}` : message, retryHeader(refused));
  }
}

type Refused = Pick<NotAdmitted, 'status' | 'message'> & Partial<Pick<NotAdmitted, 'retryAfter'>>;

function retryHeader({ status, retryAfter }: Refused): Readonly<Record<string, string>> {
  const seconds = retryAfter ?? (status === 503 ? retryAfterSeconds : undefined);
  return seconds === undefined ? {} : { 'retry-after': seconds };
}

const refuse = (socket: Duplex, refused: Refused): void =>
  refuseUpgrade(socket, refused.status, refused.message, retryHeader(refused));

function refusalOf(error: unknown, logger: Logger): Refused {
  if (error instanceof NotAdmitted) return error;
  logger.warn({ err: error }, 'A participant of live view could not be forwarded to a node.');
  return { status: 503, message: 'Live view is temporarily unavailable. Try again soon.' };
}

function tokenIn({ url = '/', headers }: IncomingMessage): string {
  const query = new URLSearchParams(url.slice(pathIn({ url }).length + 1));
  return query.get('access_token') ?? bearerToken(headers.authorization) ?? '';
}

async function ask(write: Pick<Pool, 'request'>, route: string, token: string): Promise<unknown> {
  const { statusCode, headers, body } = await write.request({
    method: 'POST',
    path: pathOf(route),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const text = await body.text();
  const retryAfter = [headers['retry-after']].flat()[0];
  if (statusCode !== 200) throw new NotAdmitted(statusCode, text.slice(0, 500), retryAfter);
  return JSON.parse(text);
}

/** Rejects if the node opens no socket: with `NotAdmitted` if the participant may learn the reason. */
async function connect(
  nodes: Dispatcher,
  { url = '/', headers }: IncomingMessage,
  joined: VideoJoined,
): Promise<Upgraded> {
  const target = new URL(url, joined.url);
  target.searchParams.set('access_token', joined.token);
  const request = { url: target, protocol: 'websocket', headers: forwardedHeaders(headers), limitMs: nodeMs };
  try {
    return await requestUpgrade(nodes, request);
  } catch (error) {
    if (error instanceof UpgradeRefused && participantStatuses.includes(error.status))
      throw new NotAdmitted(error.status, error.text, error.retryAfter);
    throw error;
  }
}

/** Rejects like `connect` if the node would open no socket. A status of 200 means that it would. */
async function validate(...asked: Parameters<typeof connect>): Promise<void> {
  try {
    const { socket } = await connect(...asked);
    socket.destroy();
  } catch (error) {
    if (!(error instanceof UpgradeRefused && error.status === 200)) throw error;
  }
}

const forwardedHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    socketHeaders.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
