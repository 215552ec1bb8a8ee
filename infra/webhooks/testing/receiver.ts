import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createRawServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { certificate, privateKey } from '../../verification/testbed/certificate.ts';

export interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly path: string | undefined;
  readonly body: string;
  /** The port of the sender's connection, which identifies it. */
  readonly connection: number | undefined;
}

export interface Receiver {
  readonly port: number;
  readonly received: readonly Received[];
  /** Number of accepted connections. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

export type Answer = (response: ServerResponse, request: Received) => void;

const read = async (request: IncomingMessage): Promise<Received> => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { headers, url: path, socket } = request;
  return { headers, path, body, connection: socket.remotePort };
};

/** A customer's server on loopback with configurable answers. */
export async function startReceiver(answer: Answer, options = { isSecure: false }): Promise<Receiver> {
  const received: Received[] = [];
  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void read(request).then((seen) => {
      received.push(seen);
      answer(response, seen);
    });
  const server = options.isSecure
    ? createSecureServer({ cert: certificate, key: privateKey }, listener)
    : createServer(listener);
  return { ...(await listening(server)), received };
}

/** A receiver below HTTP, on the raw socket. */
export async function startRawReceiver(speak: (socket: Socket) => void): Promise<Receiver> {
  return { ...(await listening(createRawServer(speak))), received: [] };
}

async function listening(server: Server): Promise<Omit<Receiver, 'received'>> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
