import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';

/** Below those that Linux gives to outgoing connections, one of which could have it before its listener does. */
const lowest = 15_000;
const highest = 32_000;

export interface ClaimedPort {
  readonly port: number;
  release(): void;
}

/**
 * A free TCP port on loopback, not given to another process of the service before it is released or this
 * process has ended: its listener may take long to start, or restart.
 */
export async function claimPort(): Promise<ClaimedPort> {
  for (;;) {
    const claimed = await claim(lowest + Math.floor(Math.random() * (highest - lowest)));
    if (claimed) return claimed;
  }
}

/** The same, of this process for as long as it lives. */
export const freePort = async (): Promise<number> => (await claimPort()).port;

/** Undefined if the port is in use or claimed. */
export async function claim(port: number): Promise<ClaimedPort | undefined> {
  const hold = await holdName(`service-port-${port}`);
  if (!hold) return undefined;
  if (await isFree(port)) return { port, release: hold };
  hold();
  return undefined;
}

/** Whether one could listen there just now. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = await listening({ port, host });
  if (server) await new Promise((resolve) => server.close(resolve));
  return server !== undefined;
}

/** A socket in Linux's abstract namespace ends with its process, however that ends. Elsewhere names are not held. */
async function holdName(name: string): Promise<(() => void) | undefined> {
  if (process.platform !== 'linux') return () => undefined;
  const server = await listening({ path: `\0${name}` });
  server?.unref();
  return server && (() => void server.close());
}

/** Undefined when the address is taken. */
async function listening(address: ListenOptions): Promise<Server | undefined> {
  const server = createServer((socket) => void socket.destroy());
  try {
    await once(server.listen(address), 'listening');
    return server;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
}
