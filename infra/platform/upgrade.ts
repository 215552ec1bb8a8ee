import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';

/* Protocol upgrades (RFC 9110, 7.8), by client and server. */

export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';
  readonly status: number;
  /** The answer's body. */
  readonly text: string;
  /** The answer's `Retry-After`. */
  readonly retryAfter: string | undefined;

  constructor(status: number, text: string, retryAfter?: string) {
    super(`An upgrade was answered ${status}.`);
    this.status = status;
    this.text = text;
    this.retryAfter = retryAfter;
  }
}

export interface UpgradeRequest {
  readonly url: URL;
  readonly protocol: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout of the answer, in milliseconds. */
  readonly limitMs: number;
}

export type Upgraded = Pick<Dispatcher.UpgradeData, 'headers' | 'socket'>;

/** Rejects with `UpgradeRefused` unless the server switches to the requested protocol. */
export function requestUpgrade(
  dispatcher: Dispatcher,
  { url, protocol, headers = {}, limitMs }: UpgradeRequest,
): Promise<Upgraded> {
  const request = { origin: url.origin, path: `${url.pathname}${url.search}`, method: 'GET' } as const;
  const limits = { headersTimeout: limitMs, bodyTimeout: limitMs };
  return new Promise((resolve, reject) => {
    let status = 0;
    let text = '';
    let retryAfter: string | undefined;
    dispatcher.dispatch(
      { ...request, ...limits, headers, upgrade: protocol },
      {
        onRequestStart: () => undefined,
        onRequestUpgrade: (_controller, _status, given, socket) => resolve({ headers: given, socket }),
        onResponseStart: (_controller, answered, given) => {
          status = answered;
          retryAfter = [given['retry-after']].flat()[0];
        },
        onResponseData: (_controller, chunk) => void (text += chunk.toString()),
        onResponseEnd: () => reject(new UpgradeRefused(status, text, retryAfter)),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

/** Answers 101; `headers` name the protocol. */
export function acceptUpgrade(socket: Duplex, headers: Upgraded['headers']): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
}

/** Answers with a status, a text and more headers, and closes the connection. */
export function refuseUpgrade(
  socket: Duplex,
  status: number,
  text = '',
  headers: Readonly<Record<string, string>> = {},
): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...['Connection: close', 'Content-Type: text/plain', `Content-Length: ${Buffer.byteLength(text)}`],
  ];
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  else socket.destroy();
}

/** Joins two sockets into one connection, until either closes. */
export function joinSockets(one: Duplex, other: Duplex): void {
  one.pipe(other).pipe(one);
  for (const [ended, left] of [
    [one, other],
    [other, one],
  ] as const) {
    ended.once('close', () => left.destroy());
    ended.on('error', () => left.destroy());
  }
}
