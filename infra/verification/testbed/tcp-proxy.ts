import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { resetConnection } from '../../platform/reset-connection.ts';
import { createFaultyLink, type FaultyLink, type Held } from './faulty-link.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A TCP server in front of another one, whose network can be broken. */
export interface TcpProxy extends Address {
  /** The same URL, through this proxy. */
  through(url: string): string;
  /** Clients connected now. */
  readonly connections: number;
  /** Resets every connection on both sides, and drops what was held back. New ones are served. */
  cut(): void;
  /**
   * Half open: connections are accepted and kept, but nothing is forwarded in this direction. `heal` delivers what was
   * held back, late, as a network may; `cut` first to drop it.
   */
  blackhole(held?: Held): void;
  /** Stops listening. Open connections stay; `cut` ends them. */
  refuse(): void;
  /** Delay of every byte in milliseconds, in each direction. */
  delay(ms: number): void;
  /** Rate of each connection and direction. */
  throttle(bytesPerSecond: number): void;
  /** Undoes all of these. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** Listens on loopback, on any free port, until it is closed. */
export async function startTcpProxy(target: Address): Promise<TcpProxy> {
  const link = createFaultyLink();
  const clients = new Map<Socket, Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    clients.set(client, join(client, target, link));
    client.once('close', () => clients.delete(client));
  });
  const port = await listen(server, 0);
  const cut = () => {
    for (const pair of clients) pair.forEach(resetConnection);
  };
  return {
    host: '127.0.0.1',
    port,
    through: (url) => url.replace(new URL(url).host, `127.0.0.1:${port}`),
    get connections() {
      return clients.size;
    },
    cut,
    refuse: () => void server.close(),
    blackhole: link.hold,
    delay: link.delay,
    throttle: link.throttle,
    heal: async () => {
      link.heal();
      if (!server.listening) await listen(server, port);
    },
    close: async () => {
      server.close();
      link.heal();
      const closed = [...clients.keys()].map((client) => once(client, 'close'));
      cut();
      await Promise.all(closed);
    },
  };
}

/**
 * Connects to the target for this client and joins the two; a reset of one resets the other. Returns the target's side.
 */
function join(client: Socket, { host, port }: Address, link: FaultyLink): Socket {
  const upstream = connect({ host, port, allowHalfOpen: true, noDelay: true });
  const reset = () => {
    resetConnection(client);
    resetConnection(upstream);
  };
  // Before forwarding notices it, which would end the other side normally.
  for (const socket of [client, upstream]) socket.on('error', reset);
  link.carry(client, upstream, 'requests').catch(reset);
  link.carry(upstream, client, 'answers').catch(reset);
  return upstream;
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return address.port;
}
