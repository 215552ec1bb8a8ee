import {
  createServer,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { parsedUrl } from '../../contracts/url.ts';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import { isThisMachine } from './address-policy.ts';
import { abandoned, dialler, type DiallerOptions, type Upstream } from './dialler.ts';
import { failureLog } from './failure-log.ts';
import { OutboundRefused } from './guard.ts';
import { watchProxy } from './proxy-health.ts';
import type { Target } from './upstream.ts';

export interface FilteringProxyOptions extends DiallerOptions {
  readonly logger: Logger;
  /** Its unix socket, whose file permissions restrict access. */
  readonly path: string;
  /** Called for each requested connection, before it is made or refused. `host` as in a URL. */
  readonly onTarget?: (target: Target) => void;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** Maximum bytes of the headers of a request or an answer. Servers take at most as much; a page may set 20 KiB of cookies and more. */
const maxHeaderSize = 128 * 1024;

/**
 * Maximum concurrent connections of one browser, to and from this proxy: each takes a file descriptor of the node, which all
 * browsers share. For http WebKit has at most 17; the others are WebSockets.
 */
export const mostConnections = 256;

/** A forward proxy that only dials addresses checked by the guard. */
export interface FilteringProxy {
  /** Why the latest connection to this host failed; undefined if it succeeded. `host` as in a URL, without port. */
  problem(host: string): string | undefined;
  /**
   * From now on every connection is made through this proxy, after the same check of its target. `onChange` is called whenever the
   * proxy turns out to be dead, or works again. Targets that are refused or unreachable, and a few slow ones, do not make it dead.
   */
  goThrough(proxy: DialledProxy, onChange: (isDead: boolean) => void): void;
  /** The account whose session has the browser. Accounts get the node's look-ups in turn. */
  belongTo(tenant: string): void;
  close(): Promise<void>;
}

/** Characters of a name (RFC 1035), with the dot at its end. */
const longestName = 254;
/** Maximum hosts with a remembered problem; a page can cause any number. */
const remembered = 256;

/**
 * All of a browser's requests go through here: navigations, redirects, sub-resources and WebSockets. Names are resolved here,
 * every address is checked, and the checked address is dialled, so DNS rebinding gains nothing. Only a proxy outside the private
 * network gets the name, after that check.
 */
export async function startFilteringProxy(options: FilteringProxyOptions): Promise<FilteringProxy> {
  const { logger, path, onTarget, now } = options;
  let tenant: string | undefined;
  const dialled = dialler(options, () => tenant);
  const take = counter(mostConnections);
  const problems = problemsIn(logger);
  let upstream: Upstream | undefined;
  const server = createProxyServer(async (host, port, client) => {
    if (host.length > longestName) throw new OutboundRefused('There is no name that is so long.');
    onTarget?.({ host, port });
    problems.forget(host);
    try {
      const socket = await take(() => dialled({ host, port }, upstream, clients.goneOf(client)));
      if (!client.destroyed) return socket;
      socket.destroy();
      throw abandoned();
    } catch (error) {
      problems.add(host, error);
      throw error;
    }
  });
  server.maxConnections = mostConnections;
  const clients = clientsOf(server);
  await once(server.listen(path), 'listening');
  return {
    problem: problems.of,
    goThrough: (proxy, onChange) => void (upstream = { proxy, watch: watchProxy(onChange, now) }),
    belongTo: (owner) => void (tenant = owner),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      clients.destroy();
      await closed;
    },
  };
}

/** The browser's connections. */
function clientsOf(server: Server) {
  const open = new Map<Duplex, AbortController>();
  server.on('connection', (socket) => {
    const gone = new AbortController();
    open.set(socket, gone);
    socket.once('close', () => {
      open.delete(socket);
      gone.abort();
    });
  });
  return {
    /** Is aborted when the connection is closed. One that waits for a tunnel is not read, so only the end of the browser closes it. */
    goneOf: (client: Duplex): AbortSignal => open.get(client)?.signal ?? AbortSignal.abort(),
    destroy: () => open.forEach((_gone, socket) => socket.destroy()),
  };
}

/** Why connections to hosts failed; also written to the log. */
function problemsIn(logger: Logger) {
  const problems = new Map<string, string>();
  const log = failureLog(logger);
  return {
    of: (host: string): string | undefined => problems.get(host),
    forget: (host: string): void => void problems.delete(host),
    add(host: string, error: unknown): void {
      problems.set(host, error instanceof OutboundRefused ? error.message : `${host} could not be reached.`);
      for (const oldest of [...problems.keys()].slice(0, -remembered)) problems.delete(oldest);
      log(error, host);
    },
  };
}

/** Limits opening and open sockets; more are refused. */
function counter(most: number) {
  let count = 0;
  const release = () => void (count -= 1);
  return async (dial: () => Promise<Socket>): Promise<Socket> => {
    if (count >= most) throw new OutboundRefused(`A browser has ${most} connections at most.`);
    count += 1;
    try {
      const socket = await dial();
      if (socket.closed) release();
      else socket.once('close', release);
      return socket;
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** A connection for a client, which may have disconnected meanwhile. */
type Reach = (host: string, port: number, client: Duplex) => Promise<Socket>;

/** Unreachable requests are cut off, not answered: an answer would be shown as the site's. */
function createProxyServer(reach: Reach): Server {
  const server = createServer({ maxHeaderSize }, (request, response) => {
    forward(request, response, reach).catch(() => response.destroy());
  });
  server.on('clientError', (_error, client) => client.destroy());
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    tunnel(request, client, head, reach).catch(() => client.destroy());
  });
  server.on('upgrade', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    upgrade(request, client, head, reach).catch(() => client.destroy());
  });
  return server;
}

/** Maximum informational responses (1xx) to a request. Node reads any number, so that a site could occupy the event loop. */
const mostInformational = 16;

const hopByHop = ['connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te', 'trailer'];

/** A plain http request, one connection each: a persistent connection could outlive its check. */
async function forward(request: IncomingMessage, response: ServerResponse, reach: Reach): Promise<void> {
  const url = httpTarget(request);
  const socket = await reach(url.hostname, Number(url.port || 80), request.socket);
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !hopByHop.includes(name)),
  );
  const upstream = httpRequest({
    createConnection: () => socket,
    maxHeaderSize,
    method: request.method,
    path: url.pathname + url.search,
    headers: { ...headers, ...onBehalf(socket), host: url.host, connection: 'close' },
  });
  response.once('close', () => upstream.destroy());
  upstream.once('error', () => response.destroy());
  // A switch of protocols that nobody offered is neither an error nor an answer.
  upstream.once('close', () => {
    if (!response.headersSent) response.destroy();
  });
  cutOffEndless(upstream, response);
  upstream.once('response', (answer) => passOn(answer, response));
  request.pipe(upstream);
}

/** Cuts off a request with more than `mostInformational` responses before its answer. */
function cutOffEndless(upstream: ClientRequest, response: ServerResponse): void {
  let count = 0;
  upstream.on('information', () => {
    count += 1;
    if (count <= mostInformational) return;
    upstream.destroy();
    response.destroy();
  });
}

/** Passes on what a site answers. An answer that Node cannot send, such as one with a status below 100, cuts the request off. */
function passOn(answer: IncomingMessage, response: ServerResponse): void {
  try {
    response.writeHead(answer.statusCode ?? 502, withoutTrailer(answer.rawHeaders));
  } catch {
    // This is an event: an error that left it would end the process, and with it the browsers of all.
    answer.destroy();
    return void response.destroy();
  }
  answer.pipe(response).once('error', () => answer.destroy());
  answer.once('error', () => response.destroy());
}

/** Trailers are not passed on, and Node sends no `Trailer` with an answer that has a length or no body. */
const withoutTrailer = (raw: readonly string[]): string[] =>
  raw.filter((_, index) => raw[index - (index % 2)]?.toLowerCase() !== 'trailer');

/**
 * Marks requests to servers on this machine as proxied, because such servers disclose more to local callers. Other sites see no
 * proxy.
 */
const onBehalf = ({ remoteAddress }: Socket): Record<string, string> =>
  remoteAddress !== undefined && isThisMachine(remoteAddress) ? { via: '1.1 browser' } : {};

/** A WebSocket without TLS: its handshake is forwarded unchanged, then the bytes in both directions. */
async function upgrade(request: IncomingMessage, client: Duplex, head: Buffer, reach: Reach): Promise<void> {
  client.on('error', () => client.destroy());
  const url = httpTarget(request);
  const upstream = await reach(url.hostname, Number(url.port || 80), client);
  const { rawHeaders } = request;
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
  );
  // As they were read: the value of a cookie may have bytes beyond ASCII.
  upstream.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  join(client, upstream, head);
}

async function tunnel(request: IncomingMessage, client: Duplex, head: Buffer, reach: Reach): Promise<void> {
  client.on('error', () => client.destroy());
  const url = parsedUrl(`http://${request.url}`);
  if (!url) throw new OutboundRefused('The target of the tunnel is not a host and a port.');
  // URL drops the scheme's default port.
  const upstream = await reach(url.hostname, Number(url.port || 80), client);
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  join(client, upstream, head);
}

function join(client: Duplex, upstream: Socket, head: Buffer): void {
  upstream.write(head);
  upstream.pipe(client).pipe(upstream);
  upstream.on('error', () => client.destroy());
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
}

/** The URL of a proxied request. `ws:` is treated as http. */
function httpTarget(request: IncomingMessage): URL {
  const text = (request.url ?? '').replace(/^ws:/i, 'http:');
  const url = parsedUrl(text);
  if (url?.protocol !== 'http:') throw new OutboundRefused('Only absolute http addresses can be forwarded.');
  return url;
}
