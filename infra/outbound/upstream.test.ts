import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { expect } from 'chai';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import {
  certificate,
  startConnectProxy,
  startSocksProxy,
  until,
  type TestProxy,
  type TestProxyOptions,
} from '../verification/testbed/index.ts';
import { parseAllowList } from './address-policy.ts';
import { createOutboundGuard } from './guard.ts';
import { createProxyProbe } from './proxy-probe.ts';
import { dialThrough, UpstreamSilent } from './upstream.ts';

const guard = createOutboundGuard({
  allow: parseAllowList('127.0.0.0/8'),
  lookup: () => Promise.resolve(['127.0.0.1']),
});

const kinds = {
  http: startConnectProxy,
  https: (options: TestProxyOptions) => startConnectProxy({ ...options, secure: true }),
  socks5: startSocksProxy,
} as const;

const portOf = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

describe('a proxy of a customer', () => {
  const body = 'page '.repeat(100_000);
  const site = createHttpServer((_request, reply) => void reply.end(body));
  const open: TestProxy[] = [];
  const defaultContext = tls.createSecureContext;
  let sitePort = 0;

  before(async () => {
    sitePort = await portOf(site);
    // The testbed's certificate has no trusted authority.
    tls.createSecureContext = (options) => {
      const context = defaultContext(options);
      (context.context as { addCACert(pem: string): void }).addCACert(certificate);
      return context;
    };
  });
  afterEach(() => Promise.all(open.splice(0).map((proxy) => proxy.close())));
  after(() => {
    tls.createSecureContext = defaultContext;
    site.close();
  });

  const start = async (scheme: keyof typeof kinds, options: TestProxyOptions = {}) => {
    const proxy = await kinds[scheme](options);
    open.push(proxy);
    return proxy;
  };
  const at = (scheme: DialledProxy['scheme'], port: number, credential?: string): DialledProxy => {
    const [username = null, password = null] = credential?.split(':') ?? [];
    return { scheme, host: 'receiver.test', port, username, password };
  };
  const probe = (upstream: DialledProxy, { timeoutMs = 5000, by = guard } = {}) =>
    createProxyProbe({ guard: by, checkUrl: `http://site.test:${sitePort}/check`, timeoutMs })(upstream);
  /** The error of a connection through it that takes too long as soon as `stage` resolves. */
  const tooLate = async (upstream: DialledProxy, stage: () => Promise<unknown>): Promise<unknown> => {
    const late = new AbortController();
    const failed = dialThrough(guard, upstream, { host: 'site.test', port: sitePort }, late.signal).then(
      () => undefined,
      (error: unknown) => error,
    );
    await stage();
    late.abort();
    return failed;
  };

  for (const scheme of ['http', 'https', 'socks5'] as const) {
    describe(`over ${scheme}`, () => {
      it('is given the target by its name, and its credentials', async () => {
        const proxy = await start(scheme, { credential: 'ada:s3cret' });
        expect(await probe(at(scheme, proxy.port, 'ada:s3cret'))).to.equal(null);
        expect(proxy.asked).to.deep.equal([`site.test:${sitePort} as ada:s3cret`]);
      });

      it('needs no credentials where none are wanted', async () => {
        const proxy = await start(scheme);
        expect(await probe(at(scheme, proxy.port))).to.equal(null);
      });

      it('carries bytes both ways', async () => {
        const proxy = await start(scheme);
        const socket = await dialThrough(
          guard,
          at(scheme, proxy.port),
          { host: 'site.test', port: sitePort },
          AbortSignal.timeout(5000),
        );
        socket.write('GET / HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n');
        let text = '';
        for await (const chunk of socket) text += String(chunk);
        expect(text)
          .to.match(/^HTTP\/1\.1 200 /)
          .and.to.have.length.above(body.length);
      });

      it('fails with auth_failed on a wrong password, and on none', async () => {
        const { port } = await start(scheme, { credential: 'ada:s3cret' });
        expect(await probe(at(scheme, port, 'ada:wrong'))).to.equal('auth_failed');
        expect(await probe(at(scheme, port))).to.equal('auth_failed');
      });

      it('fails with egress_blocked when it does not connect to the target', async () => {
        const { port } = await start(scheme, { allows: () => false });
        expect(await probe(at(scheme, port))).to.equal('egress_blocked');
      });

      it('is silent when it does not answer for a target in time', async () => {
        const proxy = await start(scheme, { holds: () => true });
        const asked = () => until(() => proxy.asked.length === 1);
        expect(await tooLate(at(scheme, proxy.port), asked)).to.be.instanceOf(UpstreamSilent);
      });

      it('fails with unreachable when no process listens', async () => {
        const proxy = await start(scheme);
        await proxy.close();
        open.splice(0);
        expect(await probe(at(scheme, proxy.port))).to.equal('unreachable');
      });

      it('fails with unreachable when it hangs up, and with timeout when it says nothing', async () => {
        const clients: Socket[] = [];
        const rude = createServer((client) => client.destroy());
        const silent = createServer((client) => void clients.push(client.on('error', () => undefined)));
        expect(await probe(at(scheme, await portOf(rude)))).to.equal('unreachable');
        expect(await probe(at(scheme, await portOf(silent)), { timeoutMs: 100 })).to.equal('timeout');
        await Promise.all(clients.map(async (client) => client.closed || once(client.resume(), 'close')));
        for (const server of [rude, silent]) server.close();
      });

      it('fails with egress_blocked at an address that is not public, without being dialled', async () => {
        const proxy = await start(scheme);
        const by = createOutboundGuard({ lookup: () => Promise.resolve(['127.0.0.1']) });
        for (const host of ['127.0.0.1', 'localhost', 'receiver.test', '10.0.0.1', '169.254.169.254'])
          expect(await probe({ ...at(scheme, proxy.port), host }, { by }), host).to.equal('egress_blocked');
        expect(proxy.asked).to.deep.equal([]);
      });
    });
  }

  it('over https fails with unreachable when its certificate names another host', async () => {
    const { port } = await start('https');
    expect(await probe({ ...at('https', port), host: 'other.test' })).to.equal('unreachable');
    expect(await probe({ ...at('https', port), host: '127.0.0.1' })).to.equal('unreachable');
  });

  for (const scheme of ['https', 'socks5'] as const)
    it(`over ${scheme} is at fault when it says nothing before it is asked for a target`, async () => {
      const silent = createServer((client) => void client.on('error', () => undefined));
      const upstream = at(scheme, await portOf(silent));
      const client = once(silent, 'connection') as Promise<[Socket]>;
      expect(await tooLate(upstream, () => client))
        .to.be.instanceOf(Error)
        .and.not.instanceOf(UpstreamSilent);
      (await client)[0].destroy();
      silent.close();
    });

  it('fails with timeout when its name is not resolved in time', async () => {
    const by = createOutboundGuard({ lookup: () => new Promise(() => undefined) });
    expect(await probe(at('http', 1), { by, timeoutMs: 50 })).to.equal('timeout');
  });

  it('fails with timeout when the target says nothing through it', async () => {
    const silent = createServer((client) => void client.resume());
    const checkUrl = `https://site.test:${await portOf(silent)}/`;
    const proxy = await start('http');
    const probed = createProxyProbe({ guard, checkUrl, timeoutMs: 100 });
    expect(await probed(at('http', proxy.port))).to.equal('timeout');
    silent.close();
  });

  it('is asked for an IPv6 address in brackets over http', async () => {
    const proxy = await start('http');
    const socket = await dialThrough(
      guard,
      at('http', proxy.port),
      { host: '[2606:4700::1111]', port: sitePort },
      AbortSignal.timeout(5000),
    );
    socket.destroy();
    expect(proxy.asked).to.deep.equal([`[2606:4700::1111]:${sitePort}`]);
  });
});
