import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import { startConnectProxy, startSocksProxy, tempDir, until } from '../verification/testbed/index.ts';
import { parseAllowList } from './address-policy.ts';
import { createOutboundGuard } from './guard.ts';
import { startFilteringProxy, type FilteringProxy } from './proxy.ts';
import { recoveryMs } from './proxy-health.ts';

const logger = pino({ level: 'silent' });
const guard = createOutboundGuard({
  allow: parseAllowList('127.0.0.0/8'),
  lookup: () => Promise.resolve(['127.0.0.1']),
});

describe('a proxy of a customer that is silent', () => {
  let now: number;
  let isSilent: boolean;
  let path: string;
  let filtering: FilteringProxy;
  let sitePort: number;
  const changes: boolean[] = [];
  const site = createServer();
  before(async () => {
    await once(site.listen(0, '127.0.0.1'), 'listening');
    sitePort = (site.address() as AddressInfo).port;
  });
  after(() => site.close());
  beforeEach(async () => {
    [now, isSilent] = [0, true];
    changes.length = 0;
    path = join(tempDir('proxy'), 'sock');
    filtering = await startFilteringProxy({ guard, logger, path, dialMs: 3_000, now: () => now });
  });
  afterEach(() => filtering.close());

  const through = (scheme: DialledProxy['scheme'], port: number) =>
    filtering.goThrough(
      { scheme, host: '127.0.0.1', port, username: null, password: null },
      (isDead) => void changes.push(isDead),
    );
  const isTunnelled = async (target: string) => {
    const socket = connect(path);
    socket.on('error', () => socket.destroy());
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true)).once('close', () => resolve(false));
    });
    socket.destroy();
    return isOpen;
  };
  const visit = (...targets: readonly string[]) => Promise.all(targets.map(isTunnelled));

  for (const [scheme, start] of [
    ['http', startConnectProxy],
    ['socks5', startSocksProxy],
  ] as const)
    it(`is dead after several hosts, not after one slow one, until it connects again (${scheme})`, async () => {
      const upstream = await start({ holds: () => isSilent });
      through(scheme, upstream.port);
      expect(await visit('a.test:81', 'a.test:82', 'a.test:83', 'b.test:81')).to.not.include(true);
      expect(changes).to.deep.equal([]);
      expect(await visit('c.test:81')).to.deep.equal([false]);
      expect(changes).to.deep.equal([true]);
      isSilent = false;
      now += recoveryMs;
      expect(await visit(`a.test:${sitePort}`)).to.deep.equal([true]);
      expect(changes).to.deep.equal([true, false]);
      await upstream.close();
    });

  it('is not dead if it connects to another host meanwhile', async () => {
    const upstream = await startConnectProxy({ holds: (target) => target.endsWith(':81') });
    through('http', upstream.port);
    const slow = visit('a.test:81', 'b.test:81', 'c.test:81');
    await until(() => upstream.asked.length === 3);
    expect(await visit(`d.test:${sitePort}`)).to.deep.equal([true]);
    expect(await slow).to.deep.equal([false, false, false]);
    expect(changes).to.deep.equal([]);
    await upstream.close();
  });
});
