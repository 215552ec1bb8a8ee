import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toId } from '../../../contracts/ids.ts';
import { until } from '../../verification/testbed/index.ts';
import { createStateTransfer } from './state-transfer.ts';

describe('a state that a session starts with', () => {
  it('can be given up unread when all of it has arrived', async () => {
    const server = createServer((_request, reply) => reply.end('a small archive')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const transfer = createStateTransfer({ url, credential: 'secret' });
    const archive = await transfer.fetch(toId('session', randomUUID()));
    await until(() => archive.readableLength > 0);
    // `once` of `node:events` would listen to the error, which must not need a listener: uncaught, it fails this test.
    await new Promise((resolve) => archive.once('close', resolve).destroy());
    await transfer.close();
    server.close();
  });
});
