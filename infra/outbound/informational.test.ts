import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { tempDir } from '../verification/testbed/index.ts';
import { parseAllowList } from './address-policy.ts';
import { createOutboundGuard } from './guard.ts';
import { startFilteringProxy, type FilteringProxy } from './proxy.ts';

describe('a site that sends informational responses through the filtering proxy', () => {
  const path = join(tempDir('proxy'), 'sock');
  /** Informational responses before the answer. */
  let hints = 0;
  let site: Server;
  let proxy: FilteringProxy;
  before(async () => {
    site = createServer((socket) => {
      const before = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(hints);
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(`${before}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi`));
    });
    await once(site.listen(0, '127.0.0.1'), 'listening');
    const guard = createOutboundGuard({ allow: parseAllowList('127.0.0.0/8') });
    proxy = await startFilteringProxy({ guard, logger: pino({ level: 'silent' }), path });
  });
  after(async () => {
    await proxy.close();
    site.close();
  });

  const get = async (): Promise<string> => {
    const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
    const outgoing = request({ socketPath: path, path: `http://${host}/`, headers: { host } }).end();
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage];
    const chunks: unknown[] = await reply.toArray();
    return chunks.map(String).join('');
  };

  it('has its answer passed on after 16 of them, and is cut off at the next', async () => {
    hints = 16;
    expect(await get()).to.equal('hi');
    hints = 17;
    expect(await get().catch(() => 'cut off')).to.equal('cut off');
  });
});
