import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { tempDir, until } from '../verification/testbed/index.ts';
import { parseAllowList } from './address-policy.ts';
import { createOutboundGuard } from './guard.ts';
import type { Lookup } from './lookup.ts';
import { startFilteringProxy, type FilteringProxy } from './proxy.ts';

const logger = pino({ level: 'silent' });

describe('the filtering proxy, for a client that is gone', () => {
  /** Takes connections, and says nothing. */
  const silent: Server = createServer();
  const dialled: Socket[] = [];
  silent.on('connection', (socket) => dialled.push(socket.resume()));
  let proxy: FilteringProxy | undefined;
  before(() => once(silent.listen(0, '127.0.0.1'), 'listening'));
  afterEach(async () => {
    await proxy?.close();
    for (const socket of dialled.splice(0)) socket.destroy();
  });
  after(() => silent.close());

  const port = () => (silent.address() as AddressInfo).port;
  const start = async (lookup?: Lookup) => {
    const guard = createOutboundGuard({ allow: parseAllowList('127.0.0.0/8'), ...(lookup && { lookup }) });
    const path = join(tempDir('proxy'), 'sock');
    proxy = await startFilteringProxy({ guard, logger, path });
    return { ...proxy, path };
  };
  const head = (host: string) => `GET http://${host}:${port()}/ HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const gone = async (socket: Socket) => {
    socket.destroy();
    await once(socket, 'close');
  };

  it('looks up and dials nothing more', async () => {
    const answers: ((addresses: readonly string[]) => void)[] = [];
    const running = await start(() => new Promise((resolve) => answers.push(resolve)));
    const names = ['slow.test', 'b.test', 'c.test', 'd.test', 'later.test'];
    const socket = connect(running.path);
    socket.write(names.map(head).join(''));
    await until(() => answers.length === 4);
    await gone(socket);
    // Once another connection is served, the proxy has noticed that this one is gone. An address waits for no look-up.
    const another = connect(running.path);
    another.write(head('127.0.0.1'));
    await until(() => dialled.length === 1);
    for (const answer of answers) answer(['127.0.0.1']);
    await until(() => names.every((name) => running.problem(name)));
    expect([dialled.length, answers.length]).to.deep.equal([1, 4]);
    another.destroy();
  });

  it('gives up a connection that is being made, which is no failure of a proxy', async () => {
    const running = await start();
    let failures = 0;
    const upstream = {
      scheme: 'http',
      host: '127.0.0.1',
      port: port(),
      username: null,
      password: null,
    } as const;
    running.goThrough(upstream, () => void (failures += 1));
    const socket = connect(running.path);
    socket.write(head('127.0.0.1'));
    const [outgoing] = (await once(silent, 'connection')) as [Socket];
    const closed = once(outgoing, 'close');
    const goneAt = performance.now();
    await gone(socket);
    await closed;
    // The time limit of a connection is 15 seconds.
    expect(performance.now() - goneAt).to.be.below(10_000);
    await until(() => running.problem('127.0.0.1'));
    expect(failures).to.equal(0);
  });
});
