import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import { startWriteSide, type WriteSide } from '../../../write-api/testing.ts';
import { loadConfig } from '../../config/index.ts';
import { listen } from '../../http/index.ts';
import { openProxyProbe } from './outbound.ts';
import { openWritePorts } from './write-ports.ts';

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => (error as Error).name,
  );

const dialled = (port: number) =>
  ({ scheme: 'http', host: '127.0.0.1', port, username: null, password: null }) as const;

describe('the check of a proxy', () => {
  it('asks the gateway on this machine if no base URL is configured', async () => {
    const targets: string[] = [];
    const proxy = createServer().on('connect', ({ url = '' }, socket) => {
      targets.push(url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    const { port } = proxy.address() as AddressInfo;
    const probe = openProxyProbe(loadConfig({ OUTBOUND_ALLOW: '127.0.0.0/8', PORT: '8090' }), () => []);
    expect(await probe(dialled(port))).to.equal('egress_blocked');
    expect(targets).to.deep.equal(['localhost:8090']);
    proxy.close();
  });
});

describe('addresses of an allowed range', () => {
  let side: WriteSide;
  let ports: Awaited<ReturnType<typeof openWritePorts>>;
  let server: Awaited<ReturnType<typeof listen>>;
  before(async () => {
    const config = { OUTBOUND_ALLOW: ['127.0.0.0/8'], PROXY_CHECK_URL: 'http://check.example/' };
    side = await startWriteSide({ config });
    server = await listen((_request, response) => void response.end(), 0);
  });
  // As in a deployment, without stand-ins, and before any node is known.
  beforeEach(async () => {
    ports = await openWritePorts(side.ports);
  });
  after(async () => {
    await server.close();
    await side.close();
  });
  const target = () => refusal(ports.target.resolve(`http://127.0.0.1:${server.port}/`));

  it('are dialled as proxies and called as receivers of webhooks', async () => {
    expect(await ports.probe(dialled(server.port))).not.to.equal('egress_blocked');
    expect(await target()).to.equal(null);
  });

  it('are refused for both if a node has reported that it listens there; for pages, nodes do that check', async () => {
    const status = { driver: 'simulated' as const, capacity: 1, sessions: [], draining: false };
    const place = `127.0.0.1:${server.port}`;
    const node = { node_id: toId('node', randomUUID()), url: `http://${place}`, status, internal: [place] };
    await ports.registry.heartbeat(node, 'a credential');
    expect(await ports.probe(dialled(server.port))).to.equal('egress_blocked');
    expect(await target()).to.equal('OutboundRefused');
    expect(await refusal(ports.addresses.resolve('127.0.0.1', server.port))).to.equal(null);
  });
});
