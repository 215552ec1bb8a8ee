import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startConnectProxy, startSocksProxy, type TestProxy } from '../../verification/testbed/index.ts';
import { parseAllowList } from '../../outbound/address-policy.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import type { BrowserReport, Driver } from '../node/driver.ts';
import { failure, launch, run, startDriver } from './testing/browser.ts';

describe('a browser with a proxy', function () {
  this.timeout(90_000);
  const credential = 'ada:s3cret';
  const site = createServer((_request, reply) => {
    reply.setHeader('content-type', 'text/html').end('<!doctype html><title>reached</title>');
  });
  let url = '';
  let target = '';
  let proxies: { readonly http: TestProxy; readonly socks5: TestProxy };
  let driver: Driver;
  const resolved: string[] = [];

  before(async () => {
    await once(site.listen(0, '127.0.0.1'), 'listening');
    target = `127.0.0.1:${(site.address() as AddressInfo).port}`;
    url = `http://${target}/`;
    proxies = {
      http: await startConnectProxy({ credential }),
      socks5: await startSocksProxy({ credential }),
    };
    const lookup = (name: string) => {
      resolved.push(name);
      return Promise.resolve(['127.0.0.1']);
    };
    const guard = createOutboundGuard({ allow: parseAllowList('127.0.0.0/8'), lookup });
    driver = await startDriver({ poolSize: 1, guard });
  });
  after(async () => {
    await driver.close();
    await Promise.all([proxies.http.close(), proxies.socks5.close()]);
    site.close();
  });
  beforeEach(() => {
    for (const { asked } of Object.values(proxies)) asked.length = 0;
  });

  const through = (scheme: 'http' | 'socks5', password = 's3cret') =>
    launch(driver, undefined, {
      proxy: { scheme, host: '127.0.0.1', port: proxies[scheme].port, username: 'ada', password },
    });

  for (const scheme of ['http', 'socks5'] as const) {
    it(`loads its pages through it, with its credentials (${scheme})`, async () => {
      const browser = await through(scheme);
      try {
        expect(await run(browser, 'navigate', { url })).to.include({ status: 200 });
        expect((await run(browser, 'state_capture', null)).title).to.equal('reached');
        expect(new Set(proxies[scheme].asked)).to.deep.equal(new Set([`${target} as ${credential}`]));
      } finally {
        await browser.close();
      }
    });
  }

  it('resolves names here, and reports that the proxy does not', async () => {
    const browser = await through('http');
    try {
      await run(browser, 'navigate', { url: url.replace('127.0.0.1', 'named.test') });
      expect(resolved).to.include('named.test');
      expect(proxies.http.asked).to.include(`${target} as ${credential}`);
      expect(browser.egressCapabilities).to.include({ dns_remote_resolve: false });
    } finally {
      await browser.close();
    }
  });

  it('loads nothing if the proxy refuses its password, and warns once', async () => {
    const browser = await through('http', 'wrong');
    const reports: BrowserReport[] = [];
    browser.onReport((report) => void reports.push(report));
    try {
      expect((await failure(run(browser, 'navigate', { url }))).reason).to.include('could not be reached');
      expect(new Set(proxies.http.asked)).to.deep.equal(new Set([`${target} as ada:wrong`]));
      await failure(run(browser, 'navigate', { url }));
      expect(reports).to.deep.equal([
        {
          kind: 'egress_capabilities',
          capabilities: { ...browser.egressCapabilities, warnings: ['dead_proxy'] },
        },
      ]);
    } finally {
      await browser.close();
    }
  });

  it('shares it with no other browser', async () => {
    const browser = await launch(driver);
    try {
      expect(await run(browser, 'navigate', { url })).to.include({ status: 200 });
      expect([...proxies.http.asked, ...proxies.socks5.asked]).to.deep.equal([]);
    } finally {
      await browser.close();
    }
  });
});
