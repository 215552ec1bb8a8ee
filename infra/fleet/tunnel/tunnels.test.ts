import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { pino, type Logger } from 'pino';
import { Agent, Pool, request } from 'undici';
import { WebSocket, WebSocketServer } from 'ws';
import { pathOf, tunnelProtocol, tunnelRoutes } from '../../../contracts/fleet/protocol.ts';
import { createVideoProxy } from '../../gateway/video.ts';
import { listen, type Listening, type OnUpgrade } from '../../http/index.ts';
import { errorsBase } from '../../http/testing.ts';
import { certify, makeAuthority } from '../../internal-tls/authority.ts';
import { fileNames, openInternalTls } from '../../internal-tls/index.ts';
import { serve } from '../../main/serve.ts';
import { createHealth, createMetrics } from '../../metrics/index.ts';
import { UpgradeRefused, requestUpgrade } from '../../platform/upgrade.ts';
import { startBalancer } from '../../verification/testbed/balancer.ts';
import { startTcpProxy, tempDir, until, type TcpProxy } from '../../verification/testbed/index.ts';
import { createCredential, nodeIdOf } from '../control-plane/credential.ts';
import { nodeBehind, tunnelUrl } from './address.ts';
import { Dialling } from './dialling.ts';
import { bounds } from './http2.ts';
import { createTunnelIngress } from './ingress.ts';
import { createNodeAgent, throughControlPlane } from './node-agent.ts';
import { Tunnels } from './tunnels.ts';

const logger = pino({ level: 'silent' });
const credential = createCredential();
const node = nodeIdOf(credential);

/** The tunnel side of a write-api process, behind a network that can be broken. */
interface Process {
  readonly tunnels: Tunnels;
  readonly served: Listening;
  readonly proxy: TcpProxy;
}

/** Write-api's answer to the gateway about a participant. */
const joined = JSON.stringify({ url: tunnelUrl(node), token: 'of-the-node' });

describe('a tunnel of a node', () => {
  let server: Server;
  let process: Process;
  let dialling: Dialling;
  const agents: Agent[] = [];
  const waiting: ServerResponse[] = [];
  const processes: Process[] = [];
  const urlOf = ({ proxy }: Process) => `http://127.0.0.1:${proxy.port}`;

  const ingressOf = (tunnels: Tunnels) => {
    const authenticate = (id: string) =>
      Promise.resolve(id === node ? ('active' as const) : ('unknown' as const));
    return createTunnelIngress({ nodes: { authenticate }, tunnels, logger });
  };

  async function startProcess(log: Logger = logger): Promise<Process> {
    const tunnels = new Tunnels({ logger: log, waitMs: 2_000 });
    const upgrade = ingressOf(tunnels);
    const answer: RequestListener = ({ url }, reply) =>
      void (url === '/waits' ? waiting.push(reply) : reply.end(joined));
    const served = await listen(answer, 0, { upgrade });
    const started = { tunnels, served, proxy: await startTcpProxy({ host: '127.0.0.1', port: served.port }) };
    processes.push(started);
    return started;
  }
  const agentOf = (tunnels: Parameters<typeof createNodeAgent>[0]['tunnels']) => {
    const agent = createNodeAgent({ tunnels });
    agents.push(agent);
    return agent;
  };
  const ask = (dispatcher: Agent, path: string, body?: Buffer) =>
    request(`${tunnelUrl(node)}${path}`, { dispatcher, method: body ? 'PUT' : 'GET', body: body ?? null });

  beforeEach(async () => {
    waiting.length = 0;
    // It does not listen.
    server = createServer((call, reply) => {
      if (call.url === '/never') return;
      if (call.url === '/echo') return void pipeline(call, reply).catch(() => reply.destroy());
      reply.write('in ');
      reply.write('several ');
      reply.end('pieces');
    });
    process = await startProcess();
    dialling = new Dialling({ url: urlOf(process), credential, server, logger });
    dialling.start();
  });
  afterEach(async () => {
    await dialling.close();
    for (const agent of agents.splice(0)) await agent.destroy();
    for (const { served, proxy } of processes.splice(0)) await Promise.all([served.close(), proxy.close()]);
  });

  it('has an address from which the node’s id can be read', () => {
    expect(nodeBehind(new URL(tunnelUrl(node)).hostname)).to.equal(node);
    expect(nodeBehind('tunnel.invalid')).to.equal(undefined);
    expect(nodeBehind('10.0.0.1')).to.equal(undefined);
  });

  it('carries many complete requests and answers at once, for this process and for others through it', async () => {
    const body = randomBytes(1024 * 1024);
    for (const tunnels of [process.tunnels, throughControlPlane(urlOf(process))]) {
      const agent = agentOf(tunnels);
      const echoes = await Promise.all(
        Array.from({ length: 8 }, async () => buffer((await ask(agent, '/echo', body)).body)),
      );
      expect(echoes.every((echo) => echo.equals(body))).to.equal(true);
      const texts = await Promise.all(
        Array.from({ length: 50 }, async () => (await ask(agent, '/')).body.text()),
      );
      expect(new Set(texts)).to.deep.equal(new Set(['in several pieces']));
    }
    expect([process.tunnels.size, process.tunnels.has(node)]).to.deep.equal([1, true]);
  });

  it('is not reopened in a tight loop while a copy of the machine, with the same credential, opens its own', async () => {
    const said: string[] = [];
    const log = pino(
      {},
      { write: (line: string) => void said.push((JSON.parse(line) as { msg: string }).msg) },
    );
    const url = urlOf(await startProcess(log));
    const own = new Dialling({ url, credential, server, logger });
    own.start();
    await until(() => said.length > 0);
    const copy = new Dialling({ url, credential, server, logger: log });
    copy.start();
    await until(() => said.some((message) => message.includes('Another process may have')));
    // Pauses grow from 70 ms: in a tight loop there are hundreds.
    expect(said.filter((message) => message === 'A node has opened a tunnel.').length).to.be.below(20);
    await Promise.all([own.close(), copy.close()]);
  });

  it('is refused to nodes without a known credential', async () => {
    const asked = (headers: Record<string, string>) =>
      requestUpgrade(agentOf(undefined), {
        ...{ url: new URL(pathOf(tunnelRoutes.open), urlOf(process)), protocol: tunnelProtocol, headers },
        limitMs: 5_000,
      }).catch((error: unknown) => error);
    for (const headers of [{}, { authorization: `Bearer ${createCredential()}` }]) {
      const refused = await asked(headers);
      expect(refused).to.be.instanceOf(UpgradeRefused).with.property('status', 401);
    }
  });

  it('fails running requests when it breaks, and is reopened for later ones', async () => {
    const agent = agentOf(process.tunnels);
    const never = ask(agent, '/never').catch((error: unknown) => error);
    await until(async () => (await ask(agent, '/')).statusCode === 200);
    process.proxy.cut();
    expect(await never).to.be.instanceOf(Error);
    expect(await (await ask(agent, '/')).body.text()).to.equal('in several pieces');
  });

  it('is waited for within a time limit', async () => {
    await dialling.close();
    await until(() => !process.tunnels.has(node));
    for (const tunnels of [process.tunnels, throughControlPlane(urlOf(process))]) {
      const startedAt = performance.now();
      expect(await ask(agentOf(tunnels), '/').catch((error: unknown) => error)).to.be.instanceOf(Error);
      expect(performance.now() - startedAt).to.be.within(1_900, 8_000);
    }
  });

  it('limits its connections', async () => {
    await until(() => process.tunnels.has(node));
    const agent = agentOf(process.tunnels);
    const all = await Promise.all(
      Array.from({ length: bounds.connections }, () => process.tunnels.connect(node)),
    );
    const refused = await process.tunnels.connect(node).catch((error: unknown) => error);
    expect(refused).to.have.property('message', 'The tunnel of the node is full.');
    all.forEach((connection) => connection.destroy());
    await until(async () => (await ask(agent, '/')).statusCode === 200);
  });

  it('is opened to each process behind a balancer, and reopened after a break', async () => {
    const later = await startProcess();
    const places = [process, later];
    const balancer = await startBalancer(places.map(({ proxy }) => proxy));
    await until(() => places.every(({ proxy }) => balancer.sendsTo(proxy.port)));
    const told = new Dialling({ url: balancer.url, credential, server, logger });
    await dialling.close();
    told.start();
    await until(() => told.size === 1);
    told.instancesAre(places.map(({ tunnels }) => tunnels.instance));
    await until(() => places.every(({ tunnels }) => tunnels.has(node)));
    expect(told.size).to.equal(2);
    later.proxy.cut();
    await until(async () => (await ask(agentOf(later.tunnels), '/')).statusCode === 200);
    await told.close();
    await balancer.close();
  });

  it('carries sockets of live view for the gateway', async () => {
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (asking, socket, head) => {
      sockets.handleUpgrade(asking, socket, head, (opened) => {
        opened.on('message', (data, isBinary) => opened.send(data, { binary: isBinary }));
      });
    });
    const write = new Pool(urlOf(process));
    const videoProxy = createVideoProxy({ write, writeUrl: urlOf(process), tls: undefined, logger });
    const upgrade: OnUpgrade = (...given) => videoProxy.upgrade(...given);
    const gateway = await listen((_request, reply) => void reply.end(), 0, { upgrade });
    const participant = new WebSocket(`ws://127.0.0.1:${gateway.port}/video/frames?access_token=x`);
    await once(participant, 'open');
    const picture = randomBytes(300_000);
    participant.send(picture);
    const [echo] = (await once(participant, 'message')) as [Buffer];
    expect(echo.equals(picture)).to.equal(true);
    participant.close();
    await gateway.close();
    await Promise.all([videoProxy.close(), write.close()]);
  });

  it('uses the TLS of internal connections, and refuses callers without a certificate', async () => {
    const validity = { from: new Date(), days: 1 };
    const authority = await makeAuthority('authority', validity);
    const { certificate, key } = await certify(authority, { name: 'all', hosts: ['127.0.0.1'], validity });
    const directory = tempDir('tls');
    const contents = { authority: authority.certificate, certificate, key };
    for (const [name, file] of Object.entries(fileNames))
      writeFileSync(join(directory, file), contents[name as keyof typeof contents]);
    const tls = openInternalTls(directory, logger);
    const health = createHealth({ role: 'write-api', checks: {}, metrics: createMetrics('tls'), errorsBase });
    const upgrade = ingressOf(process.tunnels);
    const served = await serve({ host: '127.0.0.1', port: 0, errorsBase, health, tls, upgrade });
    const url = `https://127.0.0.1:${served.port}`;
    const encrypted = new Dialling({ url, credential, server, logger, tls });
    await dialling.close();
    encrypted.start();
    const agent = createNodeAgent({ tunnels: throughControlPlane(url), tls });
    agents.push(agent);
    expect(await (await ask(agent, '/')).body.text()).to.equal('in several pieces');
    const stranger = new Agent({ connect: { ca: authority.certificate } });
    agents.push(stranger);
    const open = { url: new URL(pathOf(tunnelRoutes.open), url), protocol: tunnelProtocol, limitMs: 5_000 };
    const refused: unknown = await requestUpgrade(stranger, open).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(UpgradeRefused).with.property('status', 401);
    const never = ask(agent, '/never').catch((error: unknown) => error);
    await ask(agent, '/');
    await served.close();
    expect(await never).to.be.instanceOf(Error);
    await encrypted.close();
    await tls.close();
  });

  it('stays open until a stopping process has answered its last request, and does not delay the stop', async () => {
    await until(() => process.tunnels.has(node));
    const answer = fetch(`${urlOf(process)}/waits`);
    await until(() => waiting.length === 1);
    const stopped = process.served.close();
    const agent = agentOf(process.tunnels);
    waiting[0]?.end(await (await ask(agent, '/')).body.text());
    expect(await (await answer).text()).to.equal('in several pieces');
    await stopped;
    await until(() => dialling.size === 0 && !process.tunnels.has(node));
  });

  it('is given up at once by a node that stops before the control plane has answered', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const stopping = new Dialling({ url: `http://127.0.0.1:${port}`, credential, server, logger });
    const asked = once(silent, 'upgrade') as Promise<[IncomingMessage, Socket]>;
    stopping.start();
    const [, socket] = await asked;
    const beganAt = performance.now();
    await stopping.close();
    expect(performance.now() - beganAt).to.be.below(2_000);
    socket.destroy();
    silent.close();
  });
});
