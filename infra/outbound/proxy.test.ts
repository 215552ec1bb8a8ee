import { createServer, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { tempDir } from '../verification/testbed/index.ts';
import { parseAllowList } from './address-policy.ts';
import { createOutboundGuard, type Lookup } from './guard.ts';
import { startFilteringProxy, type FilteringProxy } from './proxy.ts';

const logger = pino({ level: 'silent' });

interface Running {
  readonly path: string;
  readonly problem: FilteringProxy['problem'];
}

describe('the filtering proxy', () => {
  const heard: string[] = [];
  const site = createServer((incoming, reply) => {
    heard.push(
      `${incoming.method} ${incoming.headers.host} ${incoming.url} ${String(incoming.headers['proxy-connection'])}`,
    );
    incoming.pipe(reply);
  });
  let port = 0;
  let proxy: FilteringProxy | undefined;

  before(async () => {
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    const address = site.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });
  afterEach(async () => {
    await proxy?.close();
    heard.length = 0;
  });
  after(() => site.close());

  const start = async (allow: string, lookup?: Lookup, ownPorts?: ReadonlySet<number>) => {
    const guard = createOutboundGuard({ allow: parseAllowList(allow), ...(lookup && { lookup }) });
    const path = join(tempDir('proxy'), 'sock');
    proxy = await startFilteringProxy({ guard, logger, path, ...(ownPorts && { ownPorts }) });
    return { path, problem: proxy.problem };
  };
  const get = async ({ path: socketPath }: Running, target: string, body = '') => {
    const headers = { host: new URL(target).host, 'proxy-connection': 'keep-alive' };
    const outgoing = request({ socketPath, method: 'POST', path: target, headers });
    outgoing.end(body);
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
    });
    const chunks: unknown[] = await reply.toArray();
    return { status: reply.statusCode, body: chunks.map(String).join('') };
  };
  const tunnel = async ({ path }: Running, target: string) => {
    const socket = connect(path);
    socket.on('error', () => socket.destroy());
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
    const answer = await new Promise<string>((resolve) => {
      socket.once('data', (data) => resolve(data.toString())).once('close', () => resolve('closed'));
    });
    socket.destroy();
    return answer.split('\r\n')[0];
  };

  it('passes requests on to addresses that are allowed, without what was meant for it', async () => {
    const running = await start('127.0.0.0/8');
    const reply = await get(running, `http://127.0.0.1:${port}/path?q=1`, 'body');
    expect(reply).to.deep.equal({ status: 200, body: 'body' });
    expect(heard).to.deep.equal([`POST 127.0.0.1:${port} /path?q=1 undefined`]);
    expect(await tunnel(running, `127.0.0.1:${port}`)).to.equal('HTTP/1.1 200 Connection established');
  });

  it('cuts off what is refused, remembers why, and forgets it once it is reached', async () => {
    const running = await start('');
    const failure: unknown = await get(running, `http://127.0.0.1:${port}/`).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    expect(running.problem('127.0.0.1')).to.include('OUTBOUND_ALLOW');
    for (const target of [
      `127.0.0.1:${port}`,
      '169.254.169.254:80',
      `localhost:${port}`,
      `[::1]:${port}`,
      'nonsense',
    ]) {
      expect(await tunnel(running, target), target).to.equal('closed');
    }
    expect(heard).to.deep.equal([]);
  });

  it('dials the address it has checked, and checks again each time', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1', '10.0.0.1']];
    const running = await start('127.0.0.0/8', () => Promise.resolve(answers.shift() ?? []));
    expect(await get(running, `http://rebinding.test:${port}/`)).to.include({ status: 200 });
    expect(heard).to.deep.equal([`POST rebinding.test:${port} / undefined`]);
    for (const target of ['/one', '/two']) {
      const failure: unknown = await get(running, `http://rebinding.test:${port}${target}`).catch(
        (error: unknown) => error,
      );
      expect(failure).to.be.instanceOf(Error);
      expect(running.problem('rebinding.test')).to.include('not allowed');
    }
  });

  it('never dials ports of its own machine that are the browsers own, by any of its addresses', async () => {
    const ownPorts = new Set<number>();
    const running = await start('0.0.0.0/0, ::/0', () => Promise.resolve(['127.0.0.1']), ownPorts);
    const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
    const names = own.flatMap(({ address, family }) => (family === 'IPv4' ? [address] : [`[${address}]`]));
    const targets = ['localhost', 'named.test', '0.0.0.0', '127.1', '[::]', '[::ffff:127.0.0.1]', ...names];
    expect(await tunnel(running, `127.0.0.1:${port}`)).to.include('200');
    ownPorts.add(port);
    for (const host of targets) {
      expect(await tunnel(running, `${host}:${port}`), host).to.equal('closed');
      expect(running.problem(new URL(`http://${host}`).hostname), host).to.include("it is the browsers' own");
    }
    ownPorts.delete(port);
    expect(await tunnel(running, `127.0.0.1:${port}`)).to.include('200');
  });
});
