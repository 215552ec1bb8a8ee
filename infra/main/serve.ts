import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Health } from '../metrics/index.ts';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly health: Health;
  /** Everything that is not health or metrics; 404 when absent. */
  readonly app?: RequestListener;
}

export interface Served {
  readonly port: number;
  /** Stops accepting, lets requests in flight end, closes idle connections. */
  close(): Promise<void>;
}

/** Longer than a load balancer's, so that it is never we who close a connection it is about to use. */
const KEEP_ALIVE_MS = 65_000;

export async function serve({ host, port, health, app = notFound }: ServeOptions): Promise<Served> {
  let draining = false;
  const server = createServer((request, response) => {
    if (draining) response.setHeader('connection', 'close');
    if (!health.handle(request, response)) app(request, response);
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        draining = true;
        health.drain();
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

function notFound(_request: unknown, response: ServerResponse): void {
  response.writeHead(404).end();
}
