import type { RequestListener } from 'node:http';
import { listen } from '../../http/listen.ts';

/** A server of the demonstration. */
export interface DemoServer {
  readonly url: string;
  /** Aborts requests in flight. */
  close(): Promise<void>;
}

/** Serves on loopback; 0: any free port. */
export async function serveOnLoopback(port: number, listener: RequestListener): Promise<DemoServer> {
  const server = await listen(listener, port, { closeMs: 0 });
  return { url: `http://127.0.0.1:${server.port}`, close: server.close };
}
