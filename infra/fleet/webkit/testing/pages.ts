import { once } from 'node:events';
import { createServer } from 'node:http';

/** A site of pages that are given as text. */
export interface Pages {
  /** Address of `/`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves each page at its path on a free port of loopback; other paths are a 404. */
export async function servePages(pages: Readonly<Record<string, string>>): Promise<Pages> {
  const server = createServer(({ url = '/' }, reply) => {
    const page = pages[url.split('?')[0] ?? '/'];
    reply.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
