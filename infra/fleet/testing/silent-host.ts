import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A host with which no connection is ever established: it answers no TLS handshake. Returns its URL, and what closes it. */
export async function startSilentHost(): Promise<readonly [url: string, close: () => Promise<void>]> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return [`https://127.0.0.1:${(server.address() as AddressInfo).port}`, close];
}
