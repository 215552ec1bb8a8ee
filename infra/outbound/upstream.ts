import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect as connectTls } from 'node:tls';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { SocksClient, SocksClientError } from 'socks';
import { OutboundRefused, type OutboundGuard } from './guard.ts';

/** A proxy of a customer's, on the way out. */
export interface Upstream {
  readonly scheme: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly password: string | null;
}

/** The proxy did not take its credentials. */
export class UpstreamAuthFailed extends Error {
  override readonly name = 'UpstreamAuthFailed';
}
/** The proxy answers, and does not connect to the target. */
export class UpstreamBlocked extends Error {
  override readonly name = 'UpstreamBlocked';
}

/**
 * A connection to the target through the proxy. The proxy's own address is checked as any other and dialled as checked;
 * the target goes to it by name, so that it is resolved where the proxy is. Rejects when the signal says so.
 */
export async function dialThrough(
  guard: OutboundGuard,
  upstream: Upstream,
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await dialAny(await guard.resolve(upstream.host), upstream.port, signal);
  const abort = () => socket.destroy(new Error('Dialling through the proxy took too long.'));
  signal.addEventListener('abort', abort, { once: true });
  try {
    if (upstream.scheme === 'socks5') return await throughSocks(socket, upstream, target);
    const line = upstream.scheme === 'http' ? socket : await secured(socket, upstream.host);
    return await throughHttp(line, upstream, target);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function dialAny(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  let failure: unknown = new OutboundRefused('The proxy has no address.');
  for (const host of addresses) {
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

async function secured(socket: Socket, servername: string): Promise<Socket> {
  const tls = connectTls({ socket, servername });
  await once(tls, 'secureConnect');
  return tls;
}

interface Target {
  readonly host: string;
  readonly port: number;
}

async function throughHttp(
  socket: Socket,
  { username, password }: Upstream,
  target: Target,
): Promise<Socket> {
  const path = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
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
  const [reply, line, head] = (await Promise.race([
    once(connecting, 'connect'),
    once(connecting, 'response').then(([response]: unknown[]) => [response, socket, Buffer.alloc(0)]),
  ])) as [IncomingMessage, Duplex, Buffer];
  if (reply.statusCode === 407) throw new UpstreamAuthFailed('The proxy wants other credentials.');
  if (reply.statusCode !== 200) throw new UpstreamBlocked(`The proxy answered ${reply.statusCode}.`);
  if (head.length > 0) line.unshift(head);
  return socket;
}

async function throughSocks(
  socket: Socket,
  { host, port, username, password }: Upstream,
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
