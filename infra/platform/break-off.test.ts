import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { breakOff } from './break-off.ts';
import { freePort } from './free-port.ts';

describe('breaking a connection off', () => {
  it('closes one whose end is still being sent', async () => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    const [socket] = (await once(server, 'connection')) as [Socket];
    const closed = once(socket, 'close');
    socket.end();
    // The system has been asked to send the end, and has not said yet that it did.
    await Promise.resolve();
    breakOff(socket);
    await closed;
    expect(socket.closed).to.equal(true);
    client.destroy();
    server.close();
    await once(server, 'close');
  });
});
