import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { SocksClient, SocksClientError } from 'socks';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import { anyIsInside } from './address-policy.ts';
import { OutboundRefused, type OutboundGuard } from './guard.ts';

export interface Target {
  /** A name or an address; IPv6 with or without brackets. */
  readonly host: string;
  readonly port: number;
  /** Its checked addresses, as resolved here. Undefined: only its text is known. */
  readonly addresses?: readonly string[];
}

/** The proxy refused its credentials. */
export class UpstreamAuthFailed extends Error {
  override readonly name = 'UpstreamAuthFailed';
}
/** The proxy answers, but does not connect to the target. */
export class UpstreamBlocked extends Error {
  override readonly name = 'UpstreamBlocked';
}
/** The proxy was reached, and did not answer in time: it is dead, or waits for the target. */
export class UpstreamSilent extends Error {
  override readonly name = 'UpstreamSilent';
}

/**
 * Connects to the target through the proxy. The proxy's own address is checked like any other, and dialled as checked.
 * - A proxy outside the private network gets the target by name, and resolves it there.
 * - A proxy inside gets a checked address: it could resolve a name to a private address.
 *
 * Rejects once the signal is aborted, at any stage: with `UpstreamSilent` if the proxy was reached.
 */
export async function dialThrough(
  guard: Pick<OutboundGuard, 'resolve'>,
  upstream: DialledProxy,
  { host, port, addresses = [] }: Target,
  signal: AbortSignal,
): Promise<Socket> {
  const proxyAddresses = await orAborted(signal, guard.resolve(upstream.host, upstream.port));
  const named = (anyIsInside(proxyAddresses) && addresses[0]) || host;
  const socket = await dialAny(proxyAddresses, upstream.port, () => signal);
  // Waiters have their own error listeners; this one prevents an uncaught error between two of them.
  socket.on('error', () => undefined);
  const abort = () => socket.destroy(new Error('Dialling through the proxy took too long.'));
  signal.addEventListener('abort', abort, { once: true });
  const target = { host: named.replace(/^\[(.*)\]$/, '$1'), port };
  // A SOCKS proxy answers a greeting before it gets the target.
  let isReached = () => upstream.scheme === 'socks5' && socket.bytesRead > 0;
  try {
    if (upstream.scheme === 'socks5') return await throughSocks(socket, upstream, target);
    const line = upstream.scheme === 'http' ? socket : await secured(socket, upstream.host, signal);
    isReached = () => true;
    return await throughHttp(line, upstream, target);
  } catch (error) {
    socket.destroy();
    if (signal.aborted && isReached())
      throw new UpstreamSilent('The proxy did not answer in time.', { cause: error });
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The promise is not cancelled; its result is ignored. */
async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = once(signal, 'abort').then(() => {
    throw new Error('Resolving the name of the proxy took too long.');
  });
  return Promise.race([work, aborted]);
}

/** Connects to the first address that answers; each gets a signal of its own from `limit`. Stops at one that is aborted already. */
export async function dialAny(
  addresses: readonly string[],
  port: number,
  limit: () => AbortSignal,
): Promise<Socket> {
  let failure: unknown = new OutboundRefused('There is no address to dial.');
  for (const host of addresses) {
    const signal = limit();
    signal.throwIfAborted();
    const socket = connect({ host, port });
    try {
      await once(socket, 'connect', { signal });
      return socket;
    } catch (error) {
      socket.on('error', () => undefined).destroy();
      failure = error;
    }
  }
  throw failure;
}

/** TLS to this host over the socket. An address has no server name to send, but is matched with the certificate anyway. */
export async function secured(socket: Socket, host: string, signal: AbortSignal): Promise<Socket> {
  const tls = connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }) });
  tls.on('error', () => undefined);
  await once(tls, 'secureConnect', { signal });
  return tls;
}

async function throughHttp(
  socket: Socket,
  { username, password }: DialledProxy,
  { host, port }: Target,
): Promise<Socket> {
  const path = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const credential = Buffer.from(`${username ?? ''}:${password ?? ''}`).toString('base64');
  const connecting = request({
    createConnection: () => socket,
    method: 'CONNECT',
    path,
    headers: {
      host: path,
      ...((username ?? password) !== null && { 'proxy-authorization': `Basic ${credential}` }),
    },
  }).end();
  // Node emits `connect` for every answer to a CONNECT, refusals too, and then stops parsing HTTP on the socket.
  const [reply, , head] = (await once(connecting, 'connect')) as [IncomingMessage, Socket, Buffer];
  if (reply.statusCode === 407) throw new UpstreamAuthFailed('The proxy wants other credentials.');
  if (reply.statusCode !== 200) throw new UpstreamBlocked(`The proxy answered ${reply.statusCode}.`);
  if (head.length > 0) socket.unshift(head);
  return socket;
}

async function throughSocks(
  socket: Socket,
  { host, port, username, password }: DialledProxy,
  destination: Target,
): Promise<Socket> {
  const credentials = {
    ...(username !== null && { userId: username }),
    ...(password !== null && { password }),
  };
  try {
    const connected = await SocksClient.createConnection({
      proxy: { host, port, type: 5, ...credentials },
      command: 'connect',
      destination,
      existing_socket: socket,
    });
    return connected.socket;
  } catch (error) {
    if (!(error instanceof SocksClientError)) throw error;
    if (/authentication/i.test(error.message))
      throw new UpstreamAuthFailed('The proxy wants other credentials.', { cause: error });
    if (/rejected/i.test(error.message))
      throw new UpstreamBlocked('The proxy does not connect to the target.', { cause: error });
    throw error;
  }
}
