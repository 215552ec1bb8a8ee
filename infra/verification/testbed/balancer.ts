import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { breakOff } from '../../platform/break-off.ts';

/** A TCP load balancer for processes on this machine, which polls `/readyz` of each. */
export interface Balancer {
  readonly url: string;
  /** Whether new connections go to the process on this port. */
  sendsTo(port: number): boolean;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 250;
const LOOK_LIMIT_MS = 5_000;

/** New connections go to ready processes in turn; open ones are kept. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const ready = new Set<number>();
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const targets = ports.filter((port) => ready.has(port));
    const port = targets[(turn += 1) % targets.length];
    if (port === undefined) return breakOff(client);
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    join(client, upstream);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
  });
  const closing = new AbortController();
  const looks = ports.map((port) => keepLooking(port, ready, closing.signal));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The balancer has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    sendsTo: (port) => ready.has(port),
    close: async () => {
      closing.abort();
      server.close();
      sockets.forEach(breakOff);
      await Promise.all(looks);
    },
  };
}

async function keepLooking(port: number, ready: Set<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (await isReady(port)) ready.add(port);
    else ready.delete(port);
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(LOOK_LIMIT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );

function join(client: Socket, upstream: Socket): void {
  const reset = () => [client, upstream].forEach(breakOff);
  for (const socket of [client, upstream]) socket.once('error', reset);
  client.pipe(upstream);
  upstream.pipe(client);
}
