import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { refuse, type Refusal } from '../../contracts/problems.ts';
import type { InternalTls } from '../internal-tls/index.ts';
import { within } from '../platform/timeout.ts';
import { watchPace, type BodyPace } from './body-pace.ts';
import { answerMalformed, refuseSlow } from './malformed.ts';
import { refusing } from './problem.ts';

/**
 * Takes a request for another protocol over, with its connection and the bytes behind its head. False: it is answered normally.
 */
export type OnUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

export interface ListenOptions {
  readonly upgrade?: OnUpgrade | undefined;
  /** Base of problem types for invalid HTTP; undefined: Node's bare 400. */
  readonly errorsBase?: string;
  /** Default loopback. */
  readonly host?: string;
  /** Serves https, also for callers without a certificate of the installation. Default: plain HTTP. */
  readonly tls?: InternalTls | undefined;
  /** Timeout for a request's head. Default 10 s. */
  readonly headersTimeoutMs?: number;
  /** Timeout for a whole request. Default 30 s. */
  readonly requestTimeoutMs?: number | undefined;
  /** Least pace of bodies. Default: none. */
  readonly bodyPace?: BodyPace | undefined;
  /** Timeout for a client that reads nothing of its answer. Default 60 s. */
  readonly stallMs?: number;
  /** How long `close` waits for requests in flight before it aborts them. Default 10 s. */
  readonly closeMs?: number | undefined;
  /** Resolves when no work is left, also of requests whose clients have gone: `close` waits for it, too. Default: at once. */
  readonly idle?: (() => Promise<void>) | undefined;
}

export interface Listening {
  readonly port: number;
  /** Stops accepting, lets requests in flight finish, then resolves. */
  readonly close: () => Promise<void>;
}

/** Serves on a port; 0: a free one. */
export async function listen(
  listener: RequestListener,
  port: number,
  options: ListenOptions = {},
): Promise<Listening> {
  const { host = '127.0.0.1', stallMs = 60_000, errorsBase, tls, bodyPace } = options;
  const connections = new Connections();
  const answer = errorsBase === undefined ? listener : withPath(listener, errorsBase);
  const server = serverOf(options, (request, response) => {
    // When it closes, the request may no longer know its socket.
    const { socket } = request;
    if (!connections.began(socket)) return void socket.destroy();
    response.once('close', () => connections.ended(socket));
    if (bodyPace) watchPace(request, bodyPace, () => refuseSlow(server, socket));
    whenItsTurn(response, () => answer(request, response));
  });
  server.setTimeout(stallMs, (socket: Socket) => {
    if (connections.awaitsAnswer(socket)) socket.setTimeout(stallMs);
    else socket.destroy();
  });
  const opened = tls ? 'secureConnection' : 'connection';
  server.on(opened, (socket: Socket) => connections.opened(socket));
  const { upgrade } = options;
  if (upgrade) {
    const served = (socket: Duplex) => server.emit(opened, socket);
    server.on('upgrade', (request, socket, head) => {
      // Nobody offers a protocol before the requests that were sent ahead are answered.
      if (connections.isBusy(request.socket)) socket.destroy();
      else if (upgrade(request, socket, head)) connections.passedOn(request.socket);
      else served(withoutOffer(request, socket, head));
    });
  }
  if (errorsBase !== undefined)
    server
      .on('checkExpectation', refuseExpectation(errorsBase))
      .on('clientError', answerMalformed(errorsBase));
  server.listen(port, host);
  await once(server, 'listening');
  // A TCP server's address has a port.
  const address = server.address() as AddressInfo;
  return { port: address.port, close: () => close(server, connections, options) };
}

async function close(
  server: ReturnType<typeof serverOf>,
  connections: Connections,
  { closeMs = 10_000, idle = async () => undefined }: ListenOptions,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const finished = connections.drain().then(idle);
  await within(closeMs, finished).catch(() => undefined);
  server.closeAllConnections();
  connections.endPassedOn();
  await closed;
}

function serverOf(options: ListenOptions, listener: RequestListener) {
  const { tls } = options;
  if (tls === undefined) return createServer(serverOptions(options), listener);
  const handshakeTimeout = options.headersTimeoutMs ?? headersTimeoutMs;
  const server = createTlsServer({ ...serverOptions(options), ...tls.server, handshakeTimeout }, listener);
  tls.onRenewed((context) => server.setSecureContext(context));
  return server;
}

/**
 * Any request may offer another protocol (RFC 9110, 7.8), and many offer HTTP/2. If the offer is not accepted, the request is
 * parsed again without it.
 */
function withoutOffer(request: IncomingMessage, socket: Duplex, head: Buffer): Duplex {
  const { method = 'GET', url = '/', httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (!ofOffer.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  if (/\bclose\b/i.test(request.headers.connection ?? '')) lines.push('Connection: close');
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  return socket;
}

const ofOffer: ReadonlySet<string> = new Set(['upgrade', 'connection', 'http2-settings']);

/**
 * Gives the listener requests with a path as their target, also if the client has named the whole address (RFC 9112, 3.2.2). Refuses other
 * targets and, like Node, an HTTP/1.1 request without a host.
 */
function withPath(listener: RequestListener, errorsBase: string): RequestListener {
  const refused = (refusal: () => Refusal) => refusing(errorsBase, refusal, closing);
  const [hostless, pathless] = [refused(withoutHost), refused(withoutPath)];
  return (request, response) => {
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      return hostless(request, response);
    const path = pathOf(request.url ?? '/');
    if (path === undefined) return pathless(request, response);
    request.url = path;
    listener(request, response);
  };
}

/** The path and query of a target; undefined if it has no path of this service, such as `*`. */
function pathOf(target: string): string | undefined {
  if (target.startsWith('/')) return target;
  const [address] = /^https?:\/\/[^/?#]+/i.exec(target) ?? [];
  return address && target.slice(address.length).replace(/^(?!\/)/, '/');
}

const withoutHost = () => refuse('bad-request', 'The request has no Host header.');
const withoutPath = () => refuse('bad-request', 'The request target must be a path, such as /v1/sessions.');
const closing = { Connection: 'close' };

/** Refuses what an `Expect` asks for beyond `100-continue`, like Node, but with a problem. */
const refuseExpectation = (errorsBase: string): RequestListener => refusing(errorsBase, notExpected, closing);
const notExpected = () => refuse('bad-request', 'An Expect header can only be 100-continue.');

const headersTimeoutMs = 10_000;
/** Idle timeout of a connection; longer than the gateway's. */
const keepAliveMs = 65_000;

const serverOptions = ({
  errorsBase,
  headersTimeoutMs: headersTimeout = headersTimeoutMs,
  requestTimeoutMs = 30_000,
}: ListenOptions): ServerOptions => ({
  requireHostHeader: errorsBase === undefined,
  headersTimeout,
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: Math.min(1000, headersTimeout),
});

/**
 * Begins an answer when it is its turn to be sent. Those to requests that a client has sent ahead (RFC 9112, 9.3.2) would occupy connections
 * to an upstream meanwhile; and Node does not say of them when the client has left.
 */
function whenItsTurn(response: ServerResponse, begin: () => void): void {
  if (response.socket !== null) return begin();
  response.once('socket', (socket: Socket) => {
    // It is given to the next answer also while the connection is being closed.
    if (!socket.destroyed) begin();
  });
}

/** Maximum requests of a connection that are being answered or were sent ahead. */
const mostInFlight = 32;

/**
 * Connections with requests in flight. Node's `closeIdleConnections` leaves out connections that never had a request,
 * so a spare connection of a client would delay `close`.
 */
class Connections {
  readonly #inFlight = new Map<Socket, number>();
  /** Those that speak another protocol. Work in progress may need them, so they end last. */
  readonly #passedOn = new Set<Socket>();
  #draining = false;
  readonly #drained: (() => void)[] = [];

  /** May be called again for a connection that is parsed anew. */
  opened(socket: Socket): void {
    if (this.#inFlight.has(socket)) return;
    this.#inFlight.set(socket, 0);
    socket.once('close', () => this.#forget(socket));
  }

  /** False if the connection has too many requests in flight. */
  began(socket: Socket): boolean {
    const count = this.#inFlight.get(socket) ?? mostInFlight;
    if (count >= mostInFlight) return false;
    this.#inFlight.set(socket, count + 1);
    return true;
  }

  ended(socket: Socket): void {
    const left = (this.#inFlight.get(socket) ?? 1) - 1;
    if (this.#inFlight.has(socket)) this.#inFlight.set(socket, left);
    if (this.#draining && left === 0) socket.destroySoon();
  }

  isBusy(socket: Socket): boolean {
    return (this.#inFlight.get(socket) ?? 0) > 0;
  }

  /** True if the inactive connection can still get an answer, of which there is no part yet that the client could read. */
  awaitsAnswer(socket: Socket): boolean {
    return this.isBusy(socket) && socket.writable && socket.writableLength === 0;
  }

  passedOn(socket: Socket): void {
    this.#inFlight.delete(socket);
    this.#passedOn.add(socket);
    this.#left();
  }

  /** Ends each connection as soon as nothing is in flight on it. Resolves when none is left but those that were passed on. */
  drain(): Promise<void> {
    this.#draining = true;
    for (const [socket, count] of this.#inFlight) if (count === 0) socket.destroySoon();
    return new Promise((resolve) => {
      this.#drained.push(resolve);
      this.#left();
    });
  }

  endPassedOn(): void {
    for (const socket of this.#passedOn) socket.destroy();
  }

  #forget(socket: Socket): void {
    this.#inFlight.delete(socket);
    this.#passedOn.delete(socket);
    this.#left();
  }

  #left(): void {
    if (this.#inFlight.size === 0) this.#drained.forEach((resolve) => resolve());
  }
}
