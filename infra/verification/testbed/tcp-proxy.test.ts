import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { startTcpProxy, until, type TcpProxy } from './index.ts';

/** Connects and records what it receives. */
async function dial(port: number) {
  const socket = connect(port, '127.0.0.1');
  const received = { text: '', error: '' };
  socket.on('data', (chunk) => (received.text += chunk.toString()));
  socket.on('error', (error: NodeJS.ErrnoException) => (received.error = error.code ?? ''));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return { socket, received, closed };
}

describe('a TCP proxy', () => {
  let echo: Server;
  let served: Socket[];
  let proxy: TcpProxy;
  beforeEach(async () => {
    served = [];
    echo = createServer({ allowHalfOpen: true }, (socket) => {
      served.push(socket);
      socket.on('error', () => undefined);
      socket.pipe(socket);
    });
    echo.listen(0, '127.0.0.1');
    await once(echo, 'listening');
    const address = echo.address();
    if (address === null || typeof address === 'string') throw new Error('The echo has no port.');
    proxy = await startTcpProxy({ host: '127.0.0.1', port: address.port });
  });
  afterEach(async () => {
    await proxy.close();
    for (const socket of served) socket.destroy();
    echo.close();
    expect(proxy.connections).to.equal(0);
  });

  it('carries bytes both ways, and each side’s end', async () => {
    const { socket, received, closed } = await dial(proxy.port);
    expect(proxy.connections).to.equal(1);
    socket.end('hello');
    await closed;
    expect(received).to.deep.equal({ text: 'hello', error: '' });
    expect(proxy.through('postgres://u:p@db.example:5432/x?y=1')).to.equal(
      `postgres://u:p@127.0.0.1:${proxy.port}/x?y=1`,
    );
  });

  it('resets open connections when cut, and serves new ones', async () => {
    const { socket, received, closed } = await dial(proxy.port);
    socket.write('a');
    await until(() => received.text === 'a');
    proxy.cut();
    await closed;
    expect(received.error).to.equal('ECONNRESET');
    const later = await dial(proxy.port);
    later.socket.end('b');
    await later.closed;
    expect(later.received.text).to.equal('b');
  });

  it('is half open when blackholed, in one direction or both, and delivers late when healed', async () => {
    const { socket, received } = await dial(proxy.port);
    proxy.blackhole('answers');
    socket.write('a');
    await until(() => (served[0]?.bytesWritten ?? 0) === 1);
    proxy.blackhole();
    const other = await dial(proxy.port);
    other.socket.write('b');
    expect([received, other.received].map(({ text }) => text)).to.deep.equal(['', '']);
    await proxy.heal();
    await until(() => received.text === 'a' && other.received.text === 'b');
    expect(served.map(({ bytesRead }) => bytesRead)).to.deep.equal([1, 1]);
    for (const each of [socket, other.socket]) each.destroy();
  });

  it('drops what it held back when it is cut', async () => {
    const { socket, received, closed } = await dial(proxy.port);
    proxy.blackhole('requests');
    socket.write('a');
    await until(() => served.length === 1);
    proxy.cut();
    await closed;
    await proxy.heal();
    expect(received.text).to.equal('');
    expect(served[0]?.bytesRead).to.equal(0);
  });

  it('refuses, while open connections stay, until it is healed', async () => {
    const { socket, received } = await dial(proxy.port);
    proxy.refuse();
    const refused: unknown = await dial(proxy.port).catch((error: unknown) => error);
    expect(String(refused)).to.match(/ECONNREFUSED/);
    socket.write('still');
    await until(() => received.text === 'still');
    await proxy.heal();
    (await dial(proxy.port)).socket.destroy();
    socket.destroy();
  });

  it('adds its delay, and limits its rate', async () => {
    const { socket, received } = await dial(proxy.port);
    const took = async (bytes: number): Promise<number> => {
      const start = performance.now();
      const before = received.text.length;
      socket.write('x'.repeat(bytes));
      await until(() => received.text.length === before + bytes, { everyMs: 1 });
      return performance.now() - start;
    };
    proxy.delay(60);
    expect(await took(1)).to.be.at.least(119);
    await proxy.heal();
    proxy.throttle(10_000);
    expect(await took(1_000)).to.be.at.least(75);
    socket.destroy();
  });

  it('resets a client whose target is not there', async () => {
    echo.close();
    const { received, closed } = await dial(proxy.port);
    await closed;
    expect(received.error).to.equal('ECONNRESET');
  });
});
