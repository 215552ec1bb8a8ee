import { STATUS_CODES, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Agent, type Dispatcher, type Pool } from 'undici';
import { VideoJoined, pathOf, videoRoutes } from '../../contracts/fleet/protocol.ts';
import { shape } from '../fleet/shape.ts';
import type { InternalTls } from '../internal-tls/index.ts';
import { bearerToken } from '../platform/presented-secrets.ts';

/** Paths of live view: two kinds of sockets, and the reason of a refusal. */
const paths = { signalling: '/video/rtc', frames: '/video/frames', reason: '/video/rtc/validate' } as const;

/** Maximum open sockets, and concurrent joins. */
const most = { open: 4_000, joining: 128 };
/** Timeout of a node's answer, in milliseconds. */
const nodeMs = 10_000;
/** Statuses about a participant: no browser, disconnected recently, or no capacity. */
const ofParticipant: readonly number[] = [404, 429, 503];

/** Headers of a WebSocket request (RFC 6455, 4.1); extensions are per hop, and not used. */
const ofSocket = ['sec-websocket-key', 'sec-websocket-version', 'sec-websocket-protocol'];

const isJoined = shape(VideoJoined);

class NotAdmitted extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface VideoPassage {
  /** Answers the request, if it is one of live view. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
  /** False for a request that is not of live view. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Ends all sockets. */
  drain(): void;
  close(): Promise<void>;
}

export interface VideoPassageOptions {
  readonly write: Pick<Pool, 'request'>;
  readonly tls: InternalTls | undefined;
  readonly logger: Logger;
}

type Asking = (route: string, request: IncomingMessage) => Promise<unknown>;

/** Asks write-api about a participant, with limited concurrency. */
function createAsking(write: Pick<Pool, 'request'>, hasRoom: () => boolean): Asking {
  let joining = 0;
  return async (route, request) => {
    if (joining >= most.joining || !hasRoom()) throw new NotAdmitted(503, 'Too many join at once.');
    joining += 1;
    try {
      return await ask(write, route, tokenIn(request));
    } finally {
      joining -= 1;
    }
  };
}

/**
 * Forwards WebSockets of live view to the node that runs the browser. write-api decides about each join and its node; the node
 * gets a token of its own instead of the participant's.
 */
export function createVideoPassage({ write, logger, tls }: VideoPassageOptions): VideoPassage {
  const nodes = tls?.agent ?? new Agent();
  const open = new Set<Duplex>();
  const asking = createAsking(write, () => open.size < most.open);
  const admit = async (request: IncomingMessage): Promise<VideoJoined> => {
    const joined = await asking(videoRoutes.join, request);
    if (!isJoined.is(joined)) throw new Error('write-api did not say where to join.');
    return joined;
  };
  const pass = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const isSocket = [paths.signalling, paths.frames].some((path) => path === pathIn(request));
    if (!isSocket) throw new NotAdmitted(404, 'There is nothing here.');
    const node = await connect(nodes, request, await admit(request));
    // The participant has disconnected meanwhile.
    if (socket.destroyed) return void node.socket.destroy();
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    join(socket, head, node);
  };
  return {
    answers: (request, response) => {
      const path = pathIn(request);
      if (!path.startsWith('/video/')) return false;
      void explain(path, () => asking(videoRoutes.check, request), response, logger);
      return true;
    },
    upgrade: (request, socket, head) => {
      if (!pathIn(request).startsWith('/video/')) return false;
      socket.on('error', () => socket.destroy());
      pass(request, socket, head).catch((error: unknown) => refuse(socket, refusalOf(error, logger)));
      return true;
    },
    drain: () => open.forEach((socket) => socket.destroy()),
    close: async () => {
      if (!tls) await nodes.destroy();
    },
  };
}

function refuse(socket: Duplex, { status, message }: Refused): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...['Connection: close', 'Content-Type: text/plain', `Content-Length: ${Buffer.byteLength(message)}`],
  ];
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${message}`);
  else socket.destroy();
}

/** Text by which LiveKit's libraries distinguish a room's 404 from that of an old server, which they retry forever. */
const noRoom = 'requested room does not exist';

/** Sends the reason of a refusal to pages of any origin: the caller has the token. */
async function explain(
  path: string,
  check: () => Promise<unknown>,
  response: ServerResponse,
  logger: Logger,
): Promise<void> {
  const answer = (status: number, text: string) => {
    const headers = {
      'content-type': 'text/plain',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
    };
    response.writeHead(status, headers).end(text);
  };
  if (path !== paths.reason) return answer(404, 'There is nothing here.');
  try {
    await check();
    answer(200, 'success');
  } catch (error) {
    const { status, message } = refusalOf(error, logger);
    answer(status, status === 404 ? `${noRoom}: ${message}` : message);
  }
}

type Refused = Pick<NotAdmitted, 'status' | 'message'>;

function refusalOf(error: unknown, logger: Logger): Refused {
  if (error instanceof NotAdmitted) return error;
  logger.warn({ err: error }, 'A participant of live view could not be passed on.');
  return { status: 503, message: 'Live view is away for a moment.' };
}

const pathIn = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] ?? '/';

function tokenIn({ url = '/', headers }: IncomingMessage): string {
  const query = new URLSearchParams(url.slice(pathIn({ url } as IncomingMessage).length + 1));
  return query.get('access_token') ?? bearerToken(headers.authorization) ?? '';
}

async function ask(write: Pick<Pool, 'request'>, route: string, token: string): Promise<unknown> {
  const { statusCode, body } = await write.request({
    method: 'POST',
    path: pathOf(route),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new NotAdmitted(statusCode, text.slice(0, 500));
  return JSON.parse(text);
}

type NodeSocket = Pick<Dispatcher.UpgradeData, 'headers' | 'socket'>;

/** Rejects if the node refuses; with `NotAdmitted` if the participant should know why. */
async function connect(
  nodes: Dispatcher,
  { url = '/', headers }: IncomingMessage,
  joined: VideoJoined,
): Promise<NodeSocket> {
  const { origin, pathname, searchParams } = new URL(url, joined.url);
  searchParams.set('access_token', joined.token);
  const path = `${pathname}?${searchParams.toString()}`;
  const request = { origin, path, method: 'GET', upgrade: 'websocket' } as const;
  const limits = { headersTimeout: nodeMs, bodyTimeout: nodeMs };
  return new Promise((resolve, reject) => {
    let status = 0;
    let text = '';
    nodes.dispatch(
      { ...request, ...limits, headers: passedOn(headers) },
      {
        onRequestStart: () => undefined,
        onRequestUpgrade: (_controller, _status, given, socket) => resolve({ headers: given, socket }),
        onResponseStart: (_controller, answered) => void (status = answered),
        onResponseData: (_controller, chunk) => void (text += chunk.toString()),
        onResponseEnd: () => reject(refusedBy(status, text)),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

const refusedBy = (status: number, text: string): Error =>
  ofParticipant.includes(status) ? new NotAdmitted(status, text) : new Error(`The node answered ${status}.`);

const passedOn = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    ofSocket.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );

/** Connects both sockets. */
function join(socket: Duplex, head: Buffer, { headers, socket: node }: NodeSocket): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
  if (head.length > 0) node.write(head);
  socket.pipe(node).pipe(socket);
  for (const [one, other] of [
    [socket, node],
    [node, socket],
  ] as const) {
    one.once('close', () => other.destroy());
    one.on('error', () => other.destroy());
  }
}
