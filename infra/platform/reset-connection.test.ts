import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { resetConnection } from './reset-connection.ts';

/** Both ends of a connection on loopback, with everything received so far. */
async function connection() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[near]] = (await Promise.all([once(server, 'connection'), once(far, 'connect')])) as [
    [Socket],
    unknown,
  ];
  const seen = { near: watch(near), far: watch(far) };
  const close = async () => {
    near.destroy();
    far.destroy();
    server.close();
    await once(server, 'close');
  };
  return { near, far, seen, close };
}

/** Errors and end of a socket, as they occur. */
function watch(socket: Socket): string[] {
  const seen: string[] = [];
  socket.on('error', ({ code }: NodeJS.ErrnoException) => seen.push(code ?? 'error'));
  socket.on('close', () => seen.push('close'));
  return seen;
}

/** Resolves long after a closed socket has emitted its events. */
async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

describe('breaking a connection off', () => {
  it('resets it for its peer', async () => {
    const { near, far, seen, close } = await connection();
    const ended = new Promise((resolve) => far.once('close', resolve));
    resetConnection(near);
    await ended;
    expect(seen.far).to.deep.equal(['ECONNRESET', 'close']);
    await close();
  });

  it('closes one that is still sending its end, which the system refuses to reset', async () => {
    const { near, seen, close } = await connection();
    near.end();
    expect(near).to.include({ writableEnded: true, writableFinished: false });
    resetConnection(near);
    await turnsOfTheLoop();
    expect(seen.near).to.deep.equal(['close']);
    await close();
  });
});
