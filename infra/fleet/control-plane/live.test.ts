import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import pino from 'pino';
import { outcomeHeader } from '../../../contracts/fleet/protocol.ts';
import { toId } from '../../../contracts/ids.ts';
import { onlyPepper } from '../../keys/index.ts';
import { until } from '../../verification/testbed/index.ts';
import { registryOf } from '../testing.ts';
import { createFleet } from './client.ts';

const succeeded = (size: number) =>
  encodeURIComponent(
    JSON.stringify({ outcome: 'succeeded', result: { name: 'a.txt', mime: 'text/plain', size } }),
  );

/** A fleet with one node, which answers every call like this. */
async function startFleet(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const registry = registryOf({ url, credential: 'secret' });
  const fleet = createFleet({ registry, logger: pino({ level: 'silent' }), peppers: onlyPepper('pepper') });
  const [node, session] = [toId('node', randomUUID()), toId('session', randomUUID())];
  const download = (name: string, timeoutMs: number) => fleet.download({ node, session, timeoutMs }, name);
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await fleet.close();
  };
  const contentOf = async (name: string, timeoutMs: number) => {
    const given = await download(name, timeoutMs);
    if (given.status !== 'ok') throw new Error(given.reason);
    return given.result.content;
  };
  return { download, contentOf, close };
}

describe('the content of a download', () => {
  it('can be given up unread when all of it has arrived', async () => {
    const { contentOf, close } = await startFleet((_request, reply) => {
      reply.setHeader(outcomeHeader, succeeded(0)).end();
    });
    const content = await contentOf('a.txt', 5_000);
    // Uncaught, its error fails this test.
    await new Promise((resolve) => content.once('close', resolve).destroy());
    await close();
  });

  it('takes as long as its reader needs, but its outcome must come in time', async () => {
    let finish = () => {};
    const { download, contentOf, close } = await startFleet(({ url = '' }, reply) => {
      if (url.includes('silent')) return;
      reply.setHeader(outcomeHeader, succeeded(9)).write('first');
      finish = () => reply.end('last');
    });
    const content = await contentOf('slow', 50);
    // Has the same limit, and begins later: the limit of the first is over, too.
    expect((await download('silent', 50)).status).to.equal('timeout');
    finish();
    expect(await text(content)).to.equal('firstlast');
    await close();
  });

  it('is no longer sent once it is given up, or has no outcome', async () => {
    const open = new Set<ServerResponse>();
    const { download, contentOf, close } = await startFleet(({ url = '' }, reply) => {
      open.add(reply.once('close', () => open.delete(reply)));
      if (!url.includes('unknown')) reply.setHeader(outcomeHeader, succeeded(9));
      reply.write('first');
    });
    const content = await contentOf('known', 60_000);
    expect(open.size).to.equal(1);
    content.destroy();
    await until(() => open.size === 0);
    expect((await download('unknown', 60_000)).status).to.equal('unavailable');
    await until(() => open.size === 0);
    await close();
  });
});
