import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pino } from 'pino';
import { caller, errorsBase } from '../http/testing.ts';
import { listen } from '../http/index.ts';
import { createGateway, type GatewayOptions } from './index.ts';

interface Seen {
  readonly side: string;
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  body: string;
}

const open: (() => Promise<void>)[] = [];
/** Closes the gateways that a failed test left open; closing twice is harmless. */
export const closeGateways = () => Promise.all(open.map((close) => close()));

/** Two upstreams that answer with what they received, behind a gateway. */
export async function startGateway(options: Partial<GatewayOptions> = {}, behave?: RequestListener) {
  const seen: Seen[] = [];
  const upstream =
    (side: string): RequestListener =>
    (request, response) => {
      const one: Seen = {
        side,
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: '',
      };
      seen.push(one);
      request.on('data', (chunk: Buffer) => (one.body += chunk.toString()));
      if (behave) behave(request, response);
      else request.on('end', () => answer(side, response));
    };
  const [write, read] = await Promise.all([listen(upstream('write'), 0), listen(upstream('read'), 0)]);
  const gateway = createGateway({
    writeUrl: `http://127.0.0.1:${write.port}`,
    readUrl: `http://127.0.0.1:${read.port}`,
    errorsBase,
    logger: pino({ level: 'silent' }),
    ...options,
  });
  const { port, close } = await listen(gateway.listener, 0, { errorsBase });
  const closeAll = async () => {
    await close();
    await gateway.close();
    await Promise.all([write.close(), read.close()]);
  };
  open.push(closeAll);
  return { seen, port, call: caller(port), write, close: closeAll };
}

function answer(side: string, response: ServerResponse): void {
  response.setHeader('X-Side', side);
  response.setHeader('Set-Cookie', ['a=1', 'b=2']);
  response.end(JSON.stringify({ side }));
}
