import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that Linux gives to outgoing connections, one of which could have it before its listener does. */
const lowest = 15_000;
const highest = 32_000;

/** A TCP port on loopback that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) return port;
  }
}

/** Whether one could listen there just now. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}
