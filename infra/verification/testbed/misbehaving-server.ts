import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** How one request is answered, well or badly. */
export type Behaviour = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

export interface MisbehavingServer {
  readonly url: string;
  /** In the order of arrival, however they were answered. */
  readonly received: ReceivedRequest[];
  /** Answers that have neither ended nor broken off. */
  readonly open: number;
  /**
   * Sets how the next requests are answered, one behaviour each; the last one applies to all that follow. Forgets
   * recorded requests.
   */
  will(...behaviours: readonly [Behaviour, ...Behaviour[]]): void;
  close(): Promise<void>;
}

/** A server with configurable misbehaviour, for clients that have to cope with networks and proxies. */
export async function startMisbehavingServer(): Promise<MisbehavingServer> {
  const received: ReceivedRequest[] = [];
  let behaviours: readonly Behaviour[] = [];
  let open = 0;
  const server = createServer((request, response) => {
    open += 1;
    response.once('close', () => (open -= 1));
    void text(request).then(async (body) => {
      const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      received.push(one);
      const behaviour = behaviours[Math.min(received.length, behaviours.length) - 1];
      await behaviour?.(response, one);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get open() {
      return open;
    },
    will: (...scripted) => {
      received.length = 0;
      behaviours = scripted;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Headers = Readonly<Record<string, string>>;

export const json =
  (body: unknown, { status = 200, headers = {} }: { status?: number; headers?: Headers } = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'req-1', ...headers });
    response.end(JSON.stringify(body));
  };

/** A problem as the service sends it. */
export const problem = (status: number, slug: string, more: object = {}, headers: Headers = {}): Behaviour =>
  json(
    {
      type: `https://errors.example/${slug}`,
      title: slug,
      status,
      detail: `It is ${slug}.`,
      instance: 'req-1',
      ...more,
    },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  );

/** An error page of a proxy in front of the service. */
export const page =
  (status: number): Behaviour =>
  (response) => {
    response
      .writeHead(status, { 'Content-Type': 'text/html' })
      .end(`<html><h1>${status} from a proxy</h1></html>`);
  };

/** Accepts the request, and never answers. */
export const silent: Behaviour = () => undefined;

/** Accepts the request, and breaks the connection. */
export const broken: Behaviour = (response) => void response.destroy();

/** Begins to answer with `body`, and breaks the connection after half of it. */
export const cut =
  (body: unknown): Behaviour =>
  (response) => {
    const whole = JSON.stringify(body);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': whole.length });
    response.write(whole.slice(0, whole.length / 2), () => void response.destroy());
  };

/** Begins to answer, and then sends nothing more, with the connection open. */
export const frozen =
  (body: unknown): Behaviour =>
  (response) => {
    const whole = JSON.stringify(body);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.write(whole.slice(0, whole.length / 2));
  };

/** Announces a body shorter than it is, so that the client gets invalid JSON. */
export const tooShort =
  (body: unknown): Behaviour =>
  (response) => {
    const whole = JSON.stringify(body);
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${whole.length - 5}\r\nConnection: close\r\n\r\n`;
    response.socket?.end(head + whole);
  };

/** Sends the body byte by byte. */
export const drip =
  (body: unknown, everyMs: number): Behaviour =>
  (response) => {
    const bytes = [...Buffer.from(JSON.stringify(body))];
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const timer = setInterval(() => {
      const next = bytes.shift();
      if (next === undefined) response.end();
      else response.write(Buffer.of(next));
      if (next === undefined) clearInterval(timer);
    }, everyMs);
    response.once('close', () => clearInterval(timer));
  };

/** A stream of server-sent events; it stays open unless its last part is one of the words `end` and `break`. */
export const events =
  (...parts: readonly string[]): Behaviour =>
  (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const part of parts) {
      if (part === 'end') response.end();
      else if (part === 'break') setImmediate(() => response.destroy());
      else response.write(part);
    }
  };
