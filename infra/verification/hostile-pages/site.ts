import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { hostilePages, ordinaryPages } from './catalogue.ts';

export interface HostileSite {
  /** Address of a page of the catalogue. */
  urlOf(page: { readonly name: string }): string;
  close(): Promise<void>;
}

/** Origins differ by their ports. */
const origins = 24;
const pages = new Map([...hostilePages, ...ordinaryPages].map(({ name, body }) => [`/${name}`, body]));

/** Serves every page of the catalogue on loopback, on that many origins. */
export async function startHostileSite(): Promise<HostileSite> {
  const addresses: string[] = [];
  const serve: RequestListener = ({ url = '/' }, reply) => {
    const path = new URL(url, 'http://site').pathname;
    if (path === '/never') return;
    const body = pages.get(path);
    if (typeof body === 'function') return body(reply);
    reply.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    reply.end(body?.replace('{{origins}}', JSON.stringify(addresses)));
  };
  const servers = await Promise.all(Array.from({ length: origins }, () => listening(serve)));
  addresses.push(...servers.map(({ address }) => address));
  return {
    urlOf: ({ name }) => `${addresses[0] ?? ''}/${name}`,
    close: async () => {
      await Promise.all(servers.map(({ server }) => closed(server)));
    },
  };
}

async function listening(serve: RequestListener) {
  const server = createServer(serve);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return { server, address: `http://127.0.0.1:${address.port}` };
}

async function closed(server: Server): Promise<void> {
  const gone = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await gone;
}
