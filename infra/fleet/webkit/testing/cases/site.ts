import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { Case } from './case.ts';

/** Serves the pages of cases on two origins, at `/<number of the case>/<name of the document>`. */
export interface CaseSite {
  urlOf(index: number): string;
  close(): Promise<void>;
}

const hosts = ['127.0.0.1', '127.0.0.2'] as const;

const prelude = (tells: string) => `<script>
  const lines = [];
  const log = (word) => lines.push(word);
  const late = (ms, work) => setTimeout(work, ms);
  const $ = (selector) => document.querySelector(selector);
  addEventListener('message', ({ data }) => { if (typeof data === 'string') log(data); });
  addEventListener('hashchange', () => {
    if (location.hash !== '#told') return;
    document.title = '=' + encodeURIComponent(String(${tells}));
    document.documentElement.dataset.told = '';
  });
</script>`;

export async function serveCases(cases: readonly Case[]): Promise<CaseSite> {
  const servers: Server[] = [];
  const origins: string[] = [];
  const bodyOf = (index: number, name: string): string | undefined => {
    const body = name === 'page' ? cases[index]?.page : cases[index]?.frames?.[name];
    return body
      ?.replaceAll('{{here}}', `${origins[0] ?? ''}/${index}/`)
      .replaceAll('{{other}}', `${origins[1] ?? ''}/${index}/`);
  };
  for (const host of hosts) {
    const server = createServer((request, reply) => {
      const [, index = '', name = ''] = (request.url ?? '').split(/[/?]/);
      const body = bodyOf(Number(index), name);
      const tells = cases[Number(index)]?.tells ?? "lines.join(' ')";
      const head = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">';
      reply.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
      reply.end(`${head}${prelude(tells)}<body>${body ?? 'Missing'}</body>`);
    });
    await once(server.listen(0, host), 'listening');
    const address = server.address();
    origins.push(`http://${host}:${typeof address === 'object' && address ? address.port : 0}`);
    servers.push(server);
  }
  return {
    urlOf: (index) => `${origins[0] ?? ''}/${index}/page`,
    close: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
