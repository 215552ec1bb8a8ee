import { readFileSync, readdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { refuse } from '../../contracts/problems.ts';
import { html, requestIdFrom, writeProblem } from '../http/index.ts';

interface File {
  readonly type: string;
  readonly content: Buffer;
  readonly compressed: Buffer | undefined;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/**
 * Only the console's own files are executed or shown, framing is forbidden, and its URLs, which may contain a link's token, are
 * not sent as referrers. Pages may create pictures. Besides its own origin it connects to the video origin: by WebSocket, and by
 * a request for the reason of a refusal.
 */
const headersFor = (videoUrl: string | undefined) =>
  ({
    'Content-Security-Policy': [
      "default-src 'self'",
      ["connect-src 'self'", ...originsOf(videoUrl)].join(' '),
      "img-src 'self' data: blob:",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  }) as const;

const originsOf = (videoUrl: string | undefined): readonly string[] => {
  if (videoUrl === undefined) return [];
  const { protocol, host } = new URL(videoUrl);
  return protocol === 'wss:' ? [`wss://${host}`, `https://${host}`] : [`ws://${host}`, `http://${host}`];
};

type Headers = ReturnType<typeof headersFor>;

const year = 'public, max-age=31536000, immutable';
const base = '/console';

export interface ConsoleOptions {
  /** The output directory of `bundleConsole`. */
  readonly directory: string;
  /** The terms that a sign-up accepts; empty if there are none. */
  readonly termsRevision: string;
  readonly errorsBase: string;
  /** Origin of video, by WebSocket; undefined without video. */
  readonly videoUrl?: string;
}

export interface Console {
  /** False if the path is not the console's. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Serves the console from memory: its files by name, and its page for every other path below `/console/`. */
export function createConsole({ directory, termsRevision, errorsBase, videoUrl }: ConsoleOptions): Console {
  const headers = headersFor(videoUrl);
  const files = filesIn(directory, termsRevision);
  return {
    handle: (request, response) => {
      const [path = '', query] = (request.url ?? '').split('?', 2);
      if (path !== base && !path.startsWith(`${base}/`)) return false;
      const requestId = requestIdFrom(request.headers['x-request-id']);
      response.setHeader('X-Request-Id', requestId);
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      const name = path.slice(base.length + 1);
      const file = files.get(extname(name) === '' ? 'index.html' : name);
      if (!isRead || file === undefined)
        writeProblem(response, refuse('not-found'), { errorsBase, requestId });
      else if (path === base)
        redirect(response, `${base}/${query === undefined ? '' : `?${query}`}`, headers);
      else {
        const isKept = extname(name) !== '' && name !== 'index.html';
        send(request, response, { ...file, headers, isKept });
      }
      return true;
    },
  };
}

function redirect(response: ServerResponse, location: string, headers: Headers): void {
  response.writeHead(308, { ...headers, Location: location, 'Cache-Control': 'no-cache' }).end();
}

interface Sent {
  readonly headers: Headers;
  readonly isKept: boolean;
}

function send(
  { method, headers: { 'accept-encoding': accepted = '' } }: IncomingMessage,
  response: ServerResponse,
  { type, content, compressed, headers, isKept }: File & Sent,
): void {
  const isSmaller =
    compressed !== undefined && /(^|[\s,])br(?!\s*;\s*q=0(\.0*)?\s*(,|$))([\s,;]|$)/.test([accepted].join());
  const body = isSmaller ? compressed : content;
  response.writeHead(200, {
    ...headers,
    'Content-Type': type,
    'Content-Length': body.byteLength,
    'Cache-Control': isKept ? year : 'no-cache',
    Vary: 'Accept-Encoding',
    ...(isSmaller && { 'Content-Encoding': 'br' }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}

function filesIn(directory: string, termsRevision: string): ReadonlyMap<string, File> {
  const names = readdirSync(directory).filter((name) => extname(name) in types);
  const read = (name: string) => readFileSync(join(directory, name));
  const files = names.map((name): [string, File] => [
    name,
    { type: types[extname(name)] ?? '', content: read(name), compressed: read(`${name}.br`) },
  ]);
  const meta = html`<meta name="terms-revision" content="${termsRevision}" />`.text;
  const page = read('index.html')
    .toString()
    .replace('</head>', () => `${meta}</head>`);
  const index = { type: types['.html'] ?? '', content: Buffer.from(page), compressed: undefined };
  return new Map([...files, ['index.html', index]]);
}
