import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';

/** Below Linux's range for outgoing connections, one of which could take it before its listener does. */
const lowest = 15_000;
const highest = 32_000;

export interface ClaimedPort {
  readonly port: number;
  release(): void;
}

/**
 * A free TCP port on loopback, not claimed by another process of the service until it is released or this process has ended: its
 * listener may start late, or restart.
 */
export async function claimPort(): Promise<ClaimedPort> {
  for (;;) {
    const claimed = await claim(lowest + Math.floor(Math.random() * (highest - lowest)));
    if (claimed) return claimed;
  }
}

/** The same, for the life of this process. */
export const freePort = async (): Promise<number> => (await claimPort()).port;

/** Undefined if the port is in use or claimed. */
export async function claim(port: number): Promise<ClaimedPort | undefined> {
  const hold = await holdName(`service-port-${port}`);
  if (!hold) return undefined;
  if (await isFree(port)) return { port, release: hold };
  hold();
  return undefined;
}

/** Whether the port can be listened on now. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = await listening({ port, host });
  if (server) await new Promise((resolve) => server.close(resolve));
  return server !== undefined;
}

/** A socket in Linux's abstract namespace ends with its process. On other systems names are not locked. */
async function holdName(name: string): Promise<(() => void) | undefined> {
  if (process.platform !== 'linux') return () => undefined;
  const server = await listening({ path: `\0${name}` });
  server?.unref();
  return server && (() => void server.close());
}

/** Undefined if the address is in use. */
async function listening(address: ListenOptions): Promise<Server | undefined> {
  const server = createServer((socket) => void socket.destroy());
  return (await listens(server, address)) ? server : undefined;
}

/** Lets the server listen; false if the address is in use. */
export async function listens(server: Server, address: ListenOptions): Promise<boolean> {
  try {
    await once(server.listen(address), 'listening');
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
}
