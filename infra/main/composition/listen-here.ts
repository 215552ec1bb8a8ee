import type { RequestListener } from 'node:http';
import { listen, type Listening } from '../../http/index.ts';

/** Listens on loopback only. For a port in use, throws with advice for the operator. */
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
