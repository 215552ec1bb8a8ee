import { createServer, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { tempDir, until } from '../verification/testbed/index.ts';
import { parseAllowList } from './address-policy.ts';
import { createOutboundGuard } from './guard.ts';
import { LookupPermits } from './lookup-permits.ts';
import { startFilteringProxy, type FilteringProxy } from './proxy.ts';

const logger = pino({ level: 'silent' });

describe('the look-ups of the browsers of a node', () => {
  const lookups = new LookupPermits();
  const asked: string[] = [];
  /** A resolver that knows one name. The servers of all others hang. */
  const lookup = async (name: string) => {
    asked.push(name);
    return name === 'site.test' ? ['127.0.0.1'] : new Promise<readonly string[]>(() => undefined);
  };
  const guard = createOutboundGuard({ allow: parseAllowList('127.0.0.0/8'), lookup });
  const site = createServer((_request, reply) => reply.end());
  const proxies: FilteringProxy[] = [];
  const clients: Socket[] = [];
  before(() => once(site.listen(0, '127.0.0.1'), 'listening'));
  after(async () => {
    for (const client of clients) client.destroy();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    site.close();
  });

  const startFor = async (tenant: string): Promise<string> => {
    const path = join(tempDir('proxy'), 'sock');
    const proxy = await startFilteringProxy({ guard, logger, path, lookups });
    proxy.belongTo(tenant);
    proxies.push(proxy);
    return path;
  };
  const ask = (path: string, host: string) => {
    const client = connect(path).on('error', () => undefined);
    client.write(`CONNECT ${host}:80 HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    clients.push(client);
  };

  it('are made for one account while all browsers of another wait for name servers that hang', async () => {
    for (let browser = 0; browser < 8; browser += 1) {
      const path = await startFor('one');
      for (let name = 0; name < 4; name += 1) ask(path, `${name}.${browser}.test`);
    }
    await until(() => asked.length >= 8);
    const { port } = site.address() as AddressInfo;
    const headers = { host: 'site.test' };
    const outgoing = request({
      socketPath: await startFor('other'),
      path: `http://site.test:${port}/`,
      headers,
    });
    outgoing.end();
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(reply.statusCode).to.equal(200);
    reply.destroy();
    // A node has 32 threads for look-ups.
    expect(asked.filter((name) => name !== 'site.test')).to.have.length(8);
  });
});
