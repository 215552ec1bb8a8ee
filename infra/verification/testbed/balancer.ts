import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { resetConnection } from '../../platform/reset-connection.ts';
import { unlessAborted } from '../../platform/timeout.ts';

export interface Target {
  /** Default loopback. */
  readonly host?: string;
  readonly port: number;
  /** Scheme of its `/readyz`, by default `http`; `tcp`: it is not checked. */
  readonly scheme?: 'http' | 'https' | 'tcp';
}

/** A load balancer for TCP, with health checks by `/readyz`. */
export interface Balancer {
  readonly url: string;
  /** Whether new connections go to the process on this port, of this host or of any. */
  sendsTo(port: number, host?: string): boolean;
  close(): Promise<void>;
}

const CHECK_INTERVAL_MS = 250;
const CHECK_TIMEOUT_MS = 5_000;
const loopback = '127.0.0.1';

/** New connections go to the ready targets by round-robin; open ones are not moved. */
export async function startBalancer(
  targets: readonly Target[],
  { host = loopback, port = 0 }: Partial<Target> = {},
): Promise<Balancer> {
  const ready = new Set<Target>();
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const able = targets.filter((target) => ready.has(target));
    const target = able[(turn += 1) % able.length];
    if (target === undefined) return resetConnection(client);
    const upstream = connect({ host: loopback, ...target, allowHalfOpen: true, noDelay: true });
    join(client, upstream);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
  });
  const closing = new AbortController();
  const checks = targets.map((each) => keepChecking(each, ready, closing.signal));
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The balancer has no port.');
  return {
    url: `http://${host}:${address.port}`,
    sendsTo: (wanted, on) =>
      [...ready].some((target) => target.port === wanted && (on === undefined || target.host === on)),
    close: async () => {
      closing.abort();
      server.close();
      sockets.forEach(resetConnection);
      await Promise.all(checks);
    },
  };
}

async function keepChecking(target: Target, ready: Set<Target>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (await isReady(target)) ready.add(target);
    else ready.delete(target);
    await delay(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Certificates are not verified. */
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });

async function isReady({ scheme = 'http', host = loopback, port }: Target): Promise<boolean> {
  if (scheme === 'tcp') return true;
  const limit = { dispatcher, signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) };
  const answer = request(`${scheme}://${host}:${port}/readyz`, limit).then(async ({ statusCode, body }) => {
    await body.dump();
    return statusCode === 200;
  });
  return unlessAborted(limit.signal, answer).catch(() => false);
}

function join(client: Socket, upstream: Socket): void {
  const reset = () => [client, upstream].forEach(resetConnection);
  for (const socket of [client, upstream]) socket.once('error', reset);
  client.pipe(upstream);
  upstream.pipe(client);
}
