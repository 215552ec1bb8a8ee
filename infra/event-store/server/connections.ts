import { createServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { ServerCredentials, type Server } from '@grpc/grpc-js';
import { resetConnection } from '../../platform/reset-connection.ts';
import type { Faults } from './faults.ts';

/** The listening socket, kept apart from the gRPC server so that a test can break connections under it. */
export class Connections {
  readonly #tcp: TcpServer;
  readonly #open = new Set<Socket>();

  constructor(server: Server, faults: Faults) {
    const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
    this.#tcp = createServer({ noDelay: true }, (socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
      if (faults.withholdSettings) socket.on('error', () => socket.destroy()).resume();
      else injector.injectConnection(socket);
    });
  }

  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#tcp.once('error', reject);
      this.#tcp.listen({ host, port }, () => resolve(portOf(this.#tcp.address())));
    });
  }

  /** Breaks every connection with a TCP reset. */
  reset(): void {
    for (const socket of this.#open) resetConnection(socket);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#tcp.close(resolve));
    for (const socket of this.#open) socket.destroy();
    await closed;
  }
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return address.port;
}
