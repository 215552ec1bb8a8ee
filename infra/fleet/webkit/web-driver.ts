import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Client } from 'webdriver';

/** The library's loggers read this once, when they are made; what they would log includes typed text. */
process.env.WDIO_LOG_LEVEL = 'silent';
/** Not awaited here: a module that waits cannot be `require`d, and who imports it would exist twice in tests. */
const library = import('webdriver');

export type Pointer =
  | { readonly type: 'pointerMove'; readonly x: number; readonly y: number; readonly duration: number }
  | { readonly type: 'pointerDown' | 'pointerUp'; readonly button: 0 }
  | { readonly type: 'pause'; readonly duration: number };
export type Key =
  | { readonly type: 'keyDown' | 'keyUp'; readonly value: string }
  | { readonly type: 'pause'; readonly duration: number };

/** The part of W3C WebDriver that the host cannot do: input a page can trust. */
export interface WebDriverSession {
  /** Where WebDriver takes this session's commands. */
  readonly url: string;
  /** One command at a time: WebKitWebDriver crashes when a second one comes while it performs an input. */
  finger(actions: readonly Pointer[]): Promise<void>;
  keys(actions: readonly Key[]): Promise<void>;
}

/** Longer than any operation may take: the operations bring their own limits. */
const commandMs = 150_000;

/** Has the WebDriver behind this port take hold of its browser. By default the host, not WebDriver, waits for pages. */
export async function openWebDriverSession(
  port: number,
  startMs: number,
  pageLoadStrategy: 'none' | 'normal' = 'none',
): Promise<WebDriverSession> {
  const capabilities = { pageLoadStrategy, 'wdio:enforceWebDriverClassic': true };
  const { default: WebDriver } = await library;
  const client: Client = await WebDriver.newSession({
    hostname: '127.0.0.1',
    port,
    path: '/',
    logLevel: 'silent',
    connectionRetryCount: 0,
    connectionRetryTimeout: startMs,
    capabilities: { alwaysMatch: capabilities, firstMatch: [{}] },
  });
  client.options.connectionRetryTimeout = commandMs;
  return {
    url: `http://127.0.0.1:${port}/session/${client.sessionId}`,
    finger: (actions) =>
      client.performActions([
        { type: 'pointer', id: 'finger', parameters: { pointerType: 'touch' }, actions: [...actions] },
      ]),
    keys: (actions) => client.performActions([{ type: 'key', id: 'keyboard', actions: [...actions] }]),
  };
}

/** A port on loopback that leads to a unix socket: WebDriver is behind such a socket, its client library knows ports only. */
export async function openPort(path: string): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const held = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    const far = held(connect(path));
    held(near).pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  return {
    port: address.port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
