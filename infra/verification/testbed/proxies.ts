import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { certificate, privateKey } from './certificate.ts';

export interface TestProxyOptions {
  /** `name:password` that a client must send; by default none is needed. */
  readonly credential?: string;
  /** Whether to connect to this `host:port`; to every one by default. */
  readonly allows?: (target: string) => boolean;
  /** Whether to leave a request for this `host:port` unanswered; none by default. */
  readonly holds?: (target: string) => boolean;
}

/** A forward proxy on loopback, which resolves every name to 127.0.0.1. */
export interface TestProxy {
  readonly port: number;
  /** Requests of clients in order: `host:port as name:password`, or `host:port` without credentials. */
  readonly asked: string[];
  close(): Promise<void>;
}

const recorded = (target: string, credential: string | undefined) =>
  credential === undefined ? target : `${target} as ${credential}`;

/** Supports CONNECT and Basic credentials; over TLS with the testbed's certificate if `secure`. */
export function startConnectProxy(options: TestProxyOptions & { readonly secure?: boolean } = {}) {
  const { credential, allows = () => true, holds = () => false, secure = false } = options;
  const asked: string[] = [];
  const server = secure ? createHttpsServer({ cert: certificate, key: privateKey }) : createHttpServer();
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    const target = request.url ?? '';
    const [, basic] = request.headers['proxy-authorization']?.split(' ') ?? [];
    const given = basic === undefined ? undefined : Buffer.from(basic, 'base64').toString();
    asked.push(recorded(target, given));
    const refuse = (status: string) => client.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`);
    if (credential !== undefined && given !== credential) return void refuse('407 Who are you');
    if (holds(target)) return void client.on('error', () => undefined);
    if (!allows(target)) return void refuse('403 Not there');
    client.write('HTTP/1.1 200 Connected\r\n\r\n');
    client.unshift(head);
    passOn(client, Number(target.split(':').at(-1)));
  });
  return listening(server, asked);
}

/** Supports CONNECT to names and IPv4 addresses, and user names with passwords (RFC 1928 and 1929). */
export function startSocksProxy(options: TestProxyOptions = {}) {
  const { credential, allows = () => true, holds = () => false } = options;
  const asked: string[] = [];
  const server = createServer((client) => {
    client.on('error', () => undefined);
    serve(client).catch(() => client.destroy());
  });
  const serve = async (client: Socket): Promise<void> => {
    const [, methods = 0] = await take(client, 2);
    const offered = await take(client, methods);
    const method = credential === undefined ? 0 : offered.includes(2) ? 2 : 0xff;
    client.write(Buffer.from([5, method]));
    const given = method === 2 ? await credentialOf(client) : undefined;
    if (method === 2) client.write(Buffer.from([1, given === credential ? 0 : 1]));
    if (method === 0xff || given !== credential) return void client.end();
    const [, , , kind] = await take(client, 4);
    const host = kind === 1 ? (await take(client, 4)).join('.') : String(await sized(client));
    const port = (await take(client, 2)).readUInt16BE();
    const target = `${host}:${port}`;
    asked.push(recorded(target, given));
    if (!holds(target)) answerSocks(client, port, allows(target));
  };
  return listening(server, asked);
}

function answerSocks(client: Socket, port: number, isAllowed: boolean): void {
  client.write(Buffer.from([5, isAllowed ? 0 : 2, 0, 1, 0, 0, 0, 0, 0, 0]));
  if (isAllowed) passOn(client, port);
  else client.end();
}

async function credentialOf(client: Socket): Promise<string> {
  await take(client, 1);
  return `${String(await sized(client))}:${String(await sized(client))}`;
}

const sized = async (client: Socket): Promise<Buffer> => take(client, (await take(client, 1)).readUInt8());

async function take(client: Socket, count: number): Promise<Buffer> {
  for (;;) {
    const bytes: unknown = client.read(count);
    if (bytes instanceof Buffer && bytes.length === count) return bytes;
    if (client.readableEnded) throw new Error('The client went away.');
    await once(client, 'readable');
  }
}

function passOn(client: Socket, port: number): void {
  const target = connect(port, '127.0.0.1');
  client.pipe(target).pipe(client);
  for (const [one, other] of [
    [client, target],
    [target, client],
  ] as const)
    one.on('error', () => undefined).once('close', () => other.destroy());
}

async function listening(server: Server, asked: string[]): Promise<TestProxy> {
  const clients = new Set<Socket>();
  server.on('connection', (client: Socket) => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const client of clients) client.destroy();
    await closed;
  };
  return { port: (server.address() as AddressInfo).port, asked, close };
}
