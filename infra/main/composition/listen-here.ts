import type { RequestListener } from 'node:http';
import { listen, type Listening } from '../../http/index.ts';

/** Listens on loopback alone. Throws what the operator can do about a port that is in use. */
export async function listenHere(
  port: number,
  listener: RequestListener,
  errorsBase: string,
): Promise<Listening> {
  try {
    return await listen(listener, port, { errorsBase });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new Error(`Port ${port} is in use. Choose another one with --port.`, { cause: error });
    throw error;
  }
}
