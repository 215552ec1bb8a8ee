import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fields = Readonly<Record<string, string>>;

/** A record of a site: a form, a message of a page's script, an order, a booking. */
export interface Submission {
  readonly path: string;
  readonly fields: Fields;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: Fields;
  /** Fields of a form. A file has two: its name, and `<name>_text`. */
  readonly fields: Fields;
  readonly cookie: string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SiteWorld {
  record(path: string, fields?: Fields): void;
  /** The address of a site on another host, which must not get any data. */
  readonly elsewhere: string;
}

/** A stateful site, created for each attempt, with one visitor. */
export type Site = (world: SiteWorld) => (asked: Asked) => Answer;

/** The site of one attempt, which records what agents really do there. */
export interface EvalSite {
  readonly url: string;
  readonly elsewhere: string;
  /** Paths of all requested pages and files. */
  readonly visits: readonly string[];
  readonly submissions: readonly Submission[];
  close(): Promise<void>;
}

/** Starts the site on one loopback address, and the strangers' site on another. */
export async function startEvalSite(site: Site, strangers: Site): Promise<EvalSite> {
  const visits: string[] = [];
  const submissions: Submission[] = [];
  const record = (path: string, fields: Fields = {}) => void submissions.push({ path, fields });
  const other = await listen('127.0.0.2', strangers({ record, elsewhere: '' }));
  const elsewhere = addressOf(other);
  const answer = site({ record, elsewhere });
  const own = await listen('127.0.0.1', (asked) => {
    if (asked.method === 'GET') visits.push(asked.path);
    return answer(asked);
  });
  return {
    url: addressOf(own),
    elsewhere,
    visits,
    submissions,
    close: async () => void (await Promise.all([own, other].map(close))),
  };
}

async function listen(host: string, answer: (asked: Asked) => Answer): Promise<Server> {
  const server = createServer((request, response) => {
    askedBy(request)
      .then(answer)
      .then(
        ({ status, headers, body }) =>
          void response
            .writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
            .end(body),
        () => response.destroy(),
      );
  });
  await once(server.listen(0, host), 'listening');
  return server;
}

function addressOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${address}:${port}`;
}

async function close(server: Server): Promise<void> {
  const closed = once(server.close(), 'close');
  server.closeAllConnections();
  await closed;
}

async function askedBy(request: IncomingMessage): Promise<Asked> {
  const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://site');
  const { method = 'GET', headers } = request;
  return {
    ...{ method, path, cookie: headers.cookie ?? '' },
    query: Object.fromEntries(searchParams),
    fields: method === 'POST' ? await fieldsOf(request) : {},
  };
}

async function fieldsOf(request: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const [, boundary] =
    /^multipart\/form-data; boundary=(.+)$/.exec(request.headers['content-type'] ?? '') ?? [];
  if (boundary === undefined) return Object.fromEntries(new URLSearchParams(body));
  return Object.fromEntries(body.split(`--${boundary}\r\n`).slice(1).flatMap(partOf));
}

/** Parses a part of a multipart body: a field, or the name and the text of a file. */
function partOf(part: string): readonly (readonly [name: string, value: string])[] {
  const [head = '', ...rest] = part.split('\r\n\r\n');
  const [text = ''] = rest.join('\r\n\r\n').split(/\r\n(?:--.*\r\n)?$/);
  const [, name = ''] = / name="([^"]*)"/.exec(head) ?? [];
  const [, fileName] = / filename="([^"]*)"/.exec(head) ?? [];
  return fileName === undefined
    ? [[name, text]]
    : [
        [name, fileName],
        [`${name}_text`, text],
      ];
}

export const redirect = (location: string, cookie?: string): Answer => ({
  status: 303,
  headers: { location, ...(cookie !== undefined && { 'set-cookie': cookie }) },
});

export const file = (name: string, content: string): Answer => ({
  status: 200,
  headers: {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
  },
  body: content,
});

export const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
