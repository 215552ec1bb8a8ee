import { createServer, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import pino from 'pino';
import { parseAllowList } from './address-policy.ts';
import { createOutboundGuard, type Lookup } from './guard.ts';
import { startFilteringProxy, type FilteringProxy } from './proxy.ts';

const logger = pino({ level: 'silent' });

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

  const start = async (allow: string, lookup?: Lookup) => {
    const guard = createOutboundGuard({ allow: parseAllowList(allow), ...(lookup && { lookup }) });
    proxy = await startFilteringProxy({ guard, logger });
    return proxy;
  };
  const get = async ({ url }: FilteringProxy, target: string, body = '') => {
    const { hostname, port: proxyPort } = new URL(url);
    const headers = { host: new URL(target).host, 'proxy-connection': 'keep-alive' };
    const outgoing = request({ hostname, port: proxyPort, method: 'POST', path: target, headers });
    outgoing.end(body);
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
    });
    const chunks: unknown[] = await reply.toArray();
    return { status: reply.statusCode, body: chunks.map(String).join('') };
  };
  const tunnel = async ({ url }: FilteringProxy, target: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
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
});
