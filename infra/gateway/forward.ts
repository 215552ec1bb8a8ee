import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Pool } from 'undici';
import { eventStreamType } from '../http/index.ts';
import { inSpan, traceHeader, traceHeaders } from '../tracing/index.ts';

/** Headers of a single hop (RFC 9110, 7.6.1), and ones that the server side has processed. */
const hopByHop: ReadonlySet<string> = new Set([
  // Reserved: it is only an option of `Connection`.
  'close',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  // Belong to another trace.
  ...traceHeaders,
]);

export type Headers = Record<string, string | string[] | undefined>;

function endToEnd(headers: Headers): Record<string, string | string[]> {
  const named = namedBy(headers.connection);
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !hopByHop.has(name) && !named.includes(name)) kept[name] = value;
  }
  return kept;
}

const none: readonly string[] = [];

/** The further headers of a single hop that `Connection` names. */
const namedBy = (connection: Headers[string]): readonly string[] =>
  connection === undefined || connection === 'keep-alive' || connection === 'close'
    ? none
    : String(connection)
        .toLowerCase()
        .split(/\s*,\s*/);

/**
 * The caller's address. Behind an operator's proxy it is the last one in the chain, added by that proxy; clients can forge the
 * earlier ones.
 */
export function forwardedFor(request: IncomingMessage, trusted: boolean): string {
  const peer = request.socket.remoteAddress ?? 'unknown';
  const last = trusted
    ? String(request.headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
    : '';
  return last !== undefined && isIP(last) !== 0 ? last : peer;
}

export interface Forwarding {
  readonly requestId: string;
  /** The caller's, by `forwardedFor`. */
  readonly address: string;
  /** Called with the head of the upstream's answer. */
  readonly onHead?: ((status: number, headers: Headers) => void) | undefined;
  /** Called if the answer is a stream of events, with a function that ends it like the upstream. */
  readonly onStream?: ((end: () => void) => void) | undefined;
}

/**
 * Forwards a request once and streams the answer back. Rejects if the upstream gave no answer; a caller that disconnects aborts
 * the upstream request.
 */
export async function forward(
  upstream: Pool,
  request: IncomingMessage,
  response: ServerResponse,
  { requestId, address, onHead, onStream }: Forwarding,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const { method = 'GET' } = request;
  const hasBody =
    request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
  const call = { name: method, kind: 'client', attributes: { 'http.request.method': method } } as const;
  await inSpan(call, ({ set }) =>
    upstream.stream(
      {
        method,
        path: request.url ?? '/',
        headers: {
          ...endToEnd(request.headers),
          'x-request-id': requestId,
          'x-forwarded-for': address,
          ...traceHeader(),
        },
        body: hasBody ? request : null,
        signal: gone.signal,
      },
      ({ statusCode, headers }) => {
        set({ 'http.response.status_code': statusCode });
        onHead?.(statusCode, headers);
        if (headers['content-type'] === eventStreamType) onStream?.(() => response.end(() => gone.abort()));
        return response.writeHead(statusCode, endToEnd(headers));
      },
    ),
  );
}
