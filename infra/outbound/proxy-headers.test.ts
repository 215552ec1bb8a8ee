import { createServer, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { tempDir } from '../verification/testbed/index.ts';
import { parseAllowList } from './address-policy.ts';
import { createOutboundGuard } from './guard.ts';
import { startFilteringProxy, type FilteringProxy } from './proxy.ts';

const logger = pino({ level: 'silent' });

describe('the filtering proxy, for long headers', () => {
  const path = join(tempDir('proxy'), 'sock');
  let proxy: FilteringProxy;
  before(async () => {
    const guard = createOutboundGuard({ allow: parseAllowList('127.0.0.0/8') });
    proxy = await startFilteringProxy({ guard, logger, path });
  });
  after(() => proxy.close());

  it('passes on a request and an answer with 20 KiB of cookies', async () => {
    const cookie = `name=${'x'.repeat(20 * 1024)}`;
    const maxHeaderSize = 64 * 1024;
    const site = createServer({ maxHeaderSize }, ({ headers }, reply) => {
      reply.setHeader('set-cookie', String(headers.cookie)).end();
    });
    await once(site.listen(0, '127.0.0.1'), 'listening');
    const target = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    const headers = { host: 'site', cookie };
    const outgoing = request({ socketPath: path, path: target, headers, maxHeaderSize });
    outgoing.end();
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect([reply.statusCode, reply.headers['set-cookie']]).to.deep.equal([200, [cookie]]);
    reply.destroy();
    site.close();
  });

  for (const [what, said] of [
    [
      'with more headers than it takes',
      `GET http://127.0.0.1/ HTTP/1.1\r\nHost: a\r\nA: ${'x'.repeat(200_000)}`,
    ],
    ['that is no HTTP', 'nonsense\r\n\r\n'],
  ] as const)
    it(`cuts off a request ${what}, without an answer`, async () => {
      const client = connect(path).on('error', () => undefined);
      const chunks: string[] = [];
      client.on('data', (data) => chunks.push(String(data)));
      client.write(said);
      await new Promise<void>((resolve) => void client.once('close', () => resolve()));
      expect(chunks).to.deep.equal([]);
    });
});
