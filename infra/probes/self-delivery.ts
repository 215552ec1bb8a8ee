import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { once } from 'node:events';
import type { Clock } from '../platform/clock.ts';
import { createSender } from '../webhooks/sender.ts';
import { newWebhookSecret } from '../webhooks/signature.ts';

/** A receiver on this machine that verifies signatures, and a sender of webhooks restricted to it. */
export function createSelfDelivery({
  clock,
  timeoutMs,
}: {
  readonly clock: Clock;
  readonly timeoutMs: number;
}) {
  const secret = newWebhookSecret();
  const { server, received } = createReceiver(secret);
  const sender = createSender({
    target: { resolve: (url) => Promise.resolve({ url: new URL(url), addresses: ['127.0.0.1'] }) },
    clock,
    timeoutMs,
  });
  let listening: Promise<string> | undefined;

  return {
    /** Rejects unless a message sent now arrives with a valid signature. */
    async probe(): Promise<void> {
      const url = await (listening ??= listen(server));
      const eventId = randomUUID();
      const body = JSON.stringify({ id: eventId, type: 'test.ping' });
      const { result } = await sender.send({ url, body, eventId, eventType: 'test.ping', secrets: [secret] });
      if (result.outcome === 'failed')
        throw new Error(`A delivery failed: ${result.error ?? result.responseStatus}.`);
      if (!received.delete(eventId)) throw new Error('A delivery succeeded and did not arrive.');
    },
    async close(): Promise<void> {
      await sender.close();
      if (listening === undefined) return;
      await listening;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createReceiver(secret: string) {
  const received = new Set<string>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const isSigned = signs(secret, body, String(request.headers['x-service-signature']));
    if (isSigned) received.add(String(request.headers['x-service-event-id']));
    response.writeHead(isSigned ? 204 : 400).end();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return { server, received };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Verifies a signature like a receiver, by the contract. */
function signs(secret: string, body: Buffer, header: string): boolean {
  const [, seconds = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  return createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex') === signature;
}
