import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { outcomeHeader } from '../../../contracts/fleet/protocol.ts';
import { toId } from '../../../contracts/ids.ts';
import { onlyPepper } from '../../keys/index.ts';
import { registryOf } from '../testing.ts';
import { createFleet } from './client.ts';

const empty = { outcome: 'succeeded', result: { name: 'empty.txt', mime: 'text/plain', size: 0 } };

describe('the content of a download', () => {
  it('can be given up unread when all of it has arrived', async () => {
    const server = createServer((_request, reply) => {
      reply.setHeader(outcomeHeader, encodeURIComponent(JSON.stringify(empty))).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const registry = registryOf({ url, credential: 'secret' });
    const fleet = createFleet({ registry, logger: pino({ level: 'silent' }), peppers: onlyPepper('pepper') });
    const call = {
      node: toId('node', randomUUID()),
      session: toId('session', randomUUID()),
      timeoutMs: 5_000,
    };
    const answer = await fleet.download(call, 'empty.txt');
    if (answer.status !== 'ok') throw new Error(answer.reason);
    const { content } = answer.result;
    // Uncaught, its error fails this test.
    await new Promise((resolve) => content.once('close', resolve).destroy());
    await fleet.close();
    server.close();
  });
});
