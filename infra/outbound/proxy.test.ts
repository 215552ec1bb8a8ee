import { createServer, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { startConnectProxy, tempDir, until } from '../verification/testbed/index.ts';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import { parseAllowList } from './address-policy.ts';
import { createOutboundGuard } from './guard.ts';
import type { Lookup } from './lookup.ts';
import { mostConnections, startFilteringProxy, type FilteringProxy } from './proxy.ts';

const logger = pino({ level: 'silent' });

/** Without the version of HTTP. Node throws when it is to write most of them. */
const oddAnswers = [
  { said: '200 OK\r\nContent-Length: 2\r\nTrailer: x\r\n\r\nhi', gets: { status: 200, body: 'hi' } },
  { said: '200 OK\r\nTRAILER: x\r\n\r\n', gets: { status: 200, body: '' }, method: 'HEAD' },
  { said: '204 None\r\nTrailer: x\r\n\r\n', gets: { status: 204, body: '' } },
  { said: '304 Same\r\nTrailer: x\r\n\r\n', gets: { status: 304, body: '' } },
  { said: '099 Low\r\nContent-Length: 0\r\n\r\n', gets: 'cut off' },
  { said: '000 None\r\nContent-Length: 0\r\n\r\n', gets: 'cut off' },
  { said: '101 Switch\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', gets: 'cut off' },
  {
    said: '200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x\r\n\r\n2\r\nhi\r\n0\r\nx: y\r\n\r\n',
    gets: { status: 200, body: 'hi' },
  },
];

interface Running {
  readonly path: string;
  readonly problem: FilteringProxy['problem'];
  readonly goThrough: FilteringProxy['goThrough'];
}

describe('the filtering proxy', () => {
  const requests: string[] = [];
  const site = createServer((incoming, reply) => {
    requests.push(
      `${incoming.method} ${incoming.headers.host} ${incoming.url} ${String(incoming.headers['proxy-connection'])}`,
    );
    via = incoming.headers.via;
    incoming.pipe(reply);
  });
  let port = 0;
  let via: string | undefined;
  let proxy: FilteringProxy | undefined;

  before(async () => {
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    const address = site.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });
  afterEach(async () => {
    await proxy?.close();
    requests.length = 0;
  });
  after(() => site.close());

  const start = async (allow: string, lookup?: Lookup, ownPorts?: ReadonlySet<number>) => {
    const guard = createOutboundGuard({ allow: parseAllowList(allow), ...(lookup && { lookup }) });
    const path = join(tempDir('proxy'), 'sock');
    proxy = await startFilteringProxy({ guard, logger, path, ...(ownPorts && { ownPorts }) });
    const { problem, goThrough } = proxy;
    return { path, problem, goThrough };
  };
  const get = async ({ path: socketPath }: Running, target: string, body = '', method = 'POST') => {
    const headers = { host: new URL(target).host, 'proxy-connection': 'keep-alive' };
    const outgoing = request({ socketPath, method, path: target, headers });
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

  it("marks its requests as another client's, for what runs on this machine", async () => {
    await get(await start('127.0.0.1'), `http://127.0.0.1:${port}/metrics`);
    expect(via).to.equal('1.1 browser');
  });

  const through = (upstreamPort: number, password: string): DialledProxy => ({
    scheme: 'http',
    host: '127.0.0.1',
    port: upstreamPort,
    username: 'ada',
    password,
  });

  it('passes requests on to addresses that are allowed, without what was meant for it', async () => {
    const running = await start('127.0.0.0/8');
    const reply = await get(running, `http://127.0.0.1:${port}/path?q=1`, 'body');
    expect(reply).to.deep.equal({ status: 200, body: 'body' });
    expect(requests).to.deep.equal([`POST 127.0.0.1:${port} /path?q=1 undefined`]);
    expect(await tunnel(running, `127.0.0.1:${port}`)).to.equal('HTTP/1.1 200 Connection established');
  });

  it('outlives each form of an answer, and passes on those that can be sent', async () => {
    let answer = '';
    const odd = createTcpServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end(`HTTP/1.1 ${answer}`));
    });
    await once(odd.listen(0, '127.0.0.1'), 'listening');
    const running = await start('127.0.0.0/8');
    const at = odd.address() as AddressInfo;
    for (const { said, gets, method } of oddAnswers) {
      answer = said;
      const got = await get(running, `http://127.0.0.1:${at.port}/`, '', method).catch(() => 'cut off');
      expect(got, said).to.deep.equal(gets);
      expect(await get(running, `http://127.0.0.1:${port}/`), said).to.include({ status: 200 });
    }
    odd.close();
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
    expect(requests).to.deep.equal([]);
  });

  it('goes through a proxy with its credentials to what is allowed and to nothing else', async () => {
    const upstream = await startConnectProxy({ credential: 'ada:s3cret' });
    const addresses: Record<string, string> = { 'open.test': '127.0.0.1', 'inner.test': '10.0.0.1' };
    const running = await start('127.0.0.0/8', async (name) => [addresses[name] ?? []].flat());
    expect(await get(running, `http://open.test:${port}/direct`)).to.include({ status: 200 });
    expect(upstream.asked).to.deep.equal([]);
    let failures = 0;
    running.goThrough(through(upstream.port, 's3cret'), () => void (failures += 1));
    expect(await get(running, `http://open.test:${port}/through`)).to.include({ status: 200 });
    expect(await tunnel(running, `open.test:${port}`)).to.include('200');
    expect(upstream.asked).to.deep.equal([
      `127.0.0.1:${port} as ada:s3cret`,
      `127.0.0.1:${port} as ada:s3cret`,
    ]);
    for (const host of ['inner.test', '10.0.0.1', '169.254.169.254', '[::1]']) {
      expect(await tunnel(running, `${host}:${port}`), host).to.equal('closed');
      expect(running.problem(host), host).to.include('not allowed');
    }
    expect(upstream.asked).to.have.length(2);
    expect(failures).to.equal(0);
    await upstream.close();
    expect(await tunnel(running, `open.test:${port}`)).to.equal('closed');
    expect(running.problem('open.test')).to.equal('open.test could not be reached.');
    expect(failures).to.equal(1);
  });

  it('gives a proxy inside of our network the address it has checked, never the name', async () => {
    const upstream = await startConnectProxy();
    // The address that the proxy would resolve itself is unknown here.
    const answers = [['2606:4700::1111'], ['10.0.0.1']];
    const running = await start('127.0.0.0/8', () => Promise.resolve(answers.shift() ?? []));
    running.goThrough(through(upstream.port, 's3cret'), () => undefined);
    expect(await tunnel(running, `rebinding.test:${port}`)).to.include('200');
    expect(await tunnel(running, `rebinding.test:${port}`)).to.equal('closed');
    expect(upstream.asked).to.deep.equal([`[2606:4700::1111]:${port} as ada:s3cret`]);
    await upstream.close();
  });

  it('distinguishes the proxy that fails from the one that does not connect to a target', async () => {
    const upstream = await startConnectProxy({ credential: 'ada:s3cret', allows: () => false });
    const running = await start('127.0.0.0/8');
    let failures = 0;
    const fails = () => void (failures += 1);
    running.goThrough(through(upstream.port, 's3cret'), fails);
    expect(await tunnel(running, `127.0.0.1:${port}`)).to.equal('closed');
    expect(failures).to.equal(0);
    running.goThrough(through(upstream.port, 'wrong'), fails);
    expect(await tunnel(running, `127.0.0.1:${port}`)).to.equal('closed');
    expect(failures).to.equal(1);
    await upstream.close();
  });

  it('takes no port that is the browsers own for a proxy', async () => {
    const upstream = await startConnectProxy();
    const running = await start('127.0.0.0/8', undefined, new Set([upstream.port]));
    running.goThrough(through(upstream.port, 's3cret'), () => undefined);
    expect(await tunnel(running, `127.0.0.1:${port}`)).to.equal('closed');
    expect(running.problem('127.0.0.1')).to.include("it is the browsers' own");
    expect(upstream.asked).to.deep.equal([]);
    await upstream.close();
  });

  it('dials the address it has checked, and checks again each time', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1', '10.0.0.1']];
    const running = await start('127.0.0.0/8', () => Promise.resolve(answers.shift() ?? []));
    expect(await get(running, `http://rebinding.test:${port}/`)).to.include({ status: 200 });
    expect(requests).to.deep.equal([`POST rebinding.test:${port} / undefined`]);
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

  it('has a number of connections for its browser; more are cut off, and taken again once some have ended', async () => {
    const running = await start('127.0.0.0/8');
    const open = async () => {
      const socket = connect(running.path);
      socket.on('error', () => socket.destroy());
      socket.write(`CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: site\r\n\r\n`);
      await new Promise<void>((resolve) => {
        socket.once('data', () => resolve()).once('close', () => resolve());
      });
      return socket;
    };
    const sockets = await Promise.all(Array.from({ length: mostConnections + 20 }, open));
    const isOpen = ({ destroyed }: Socket) => !destroyed;
    expect(sockets.filter(isOpen)).to.have.length(mostConnections);
    expect(await tunnel(running, `127.0.0.1:${port}`)).to.equal('closed');
    for (const socket of sockets) socket.destroy();
    await until(async () => (await tunnel(running, `127.0.0.1:${port}`)) !== 'closed');
  });

  it('makes no more connections than that for requests that come on one', async () => {
    let asked = 0;
    const lookup = () => {
      asked += 1;
      return new Promise<readonly string[]>(() => undefined);
    };
    const running = await start('127.0.0.0/8', lookup);
    const socket = connect(running.path);
    const request = (n: number) => `GET http://${n}.test/ HTTP/1.1\r\nHost: ${n}.test\r\n\r\n`;
    socket.write(Array.from({ length: mostConnections + 20 }, (_, n) => request(n)).join(''));
    await until(() => running.problem(`${mostConnections}.test`));
    expect(running.problem(`${mostConnections - 1}.test`)).to.equal(undefined);
    expect(running.problem(`${mostConnections}.test`)).to.include('256 connections');
    // Names with hanging servers occupy only few of the node's threads.
    expect(asked).to.equal(4);
    socket.destroy();
  });

  it('passes the header of a WebSocket on byte by byte', async () => {
    const heard: Buffer[] = [];
    const sockets = createTcpServer((socket) => socket.on('data', (data) => heard.push(data)));
    await once(sockets.listen(0, '127.0.0.1'), 'listening');
    const target = `127.0.0.1:${(sockets.address() as AddressInfo).port}`;
    const running = await start('127.0.0.0/8');
    const socket = connect(running.path);
    const lines = [
      `GET ws://${target}/ HTTP/1.1`,
      `Host: ${target}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
    ];
    socket.write(`${lines.join('\r\n')}\r\nCookie: name=J\xfcrgen\r\n\r\n`, 'latin1');
    await until(() => Buffer.concat(heard).includes('\r\n\r\n'));
    expect(Buffer.concat(heard).toString('latin1')).to.include('Cookie: name=J\xfcrgen\r\n');
    socket.destroy();
    sockets.close();
  });
});
