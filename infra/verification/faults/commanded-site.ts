import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../testbed/index.ts';

/** A site on loopback whose pages run a test's scripts on demand. */
export interface CommandedSite {
  readonly url: string;
  /** Address of another host, which no message asks to open. */
  readonly elsewhere: string;
  /** Requests to the other host. */
  readonly strayed: readonly string[];
  /** Paths of submitted forms. */
  readonly sent: readonly string[];
  /** Makes the newest page run a script. Resolves when it has run, or another page has replaced this one. */
  does(script: string): Promise<void>;
  close(): Promise<void>;
}

interface Page {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Fetches and runs the test's scripts, one after the other. */
const obeys = `<script>(async () => {
  for (;;) {
    const script = await (await fetch('/orders')).text();
    await (0, eval)('(async () => {' + script + '})()');
    await fetch('/done');
  }
})()</script>`;

export async function startCommandedSite(pages: Readonly<Record<string, Page>>): Promise<CommandedSite> {
  const [sent, strayed]: [string[], string[]] = [[], []];
  /** Pages waiting for a script. */
  let waiting: ServerResponse[] = [];
  let heardFrom = 0;

  const take = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/orders') {
      heardFrom += 1;
      waiting.push(response);
      response.once('close', () => (waiting = waiting.filter((each) => each !== response)));
      return;
    }
    if (pathname === '/done') heardFrom += 1;
    if (request.method === 'POST') sent.push(pathname);
    show(response, pathname, pages[pathname]);
  };
  const own = await listen('127.0.0.1', take);
  const other = await listen('127.0.0.2', (request, response) => {
    strayed.push(request.url ?? '');
    response.end();
  });
  return {
    url: addressOf(own),
    elsewhere: addressOf(other),
    sent,
    strayed,
    does: async (script) => {
      const page = await until(() => waiting.at(-1));
      const before = heardFrom;
      page.end(script);
      await until(() => heardFrom > before);
    },
    close: async () => void (await Promise.all([own, other].map(close))),
  };
}

function show(response: ServerResponse, title: string, { body, headers }: Page = { body: '' }): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(
    `<!doctype html><meta name="viewport" content="width=device-width"><title>${title}</title>${body}${obeys}`,
  );
}

type Take = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(host: string, take: Take): Promise<Server> {
  const server = createServer(take);
  await once(server.listen(0, host), 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${address}:${port}`;
}
