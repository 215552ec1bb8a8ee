import { expect } from 'chai';
import { ensureDebianPackages, hostPackages } from '../../main/bootstrap/debian-packages.mjs';
import { startLoad } from '../stack/errands.ts';
import { until } from '../testbed/index.ts';
import { newClient, type Client } from './client.ts';
import { startInstallation, type Installation } from './installation.ts';
import { addresses, apiHosts, defaults, hidden, nodeNames, urls, type NodeName } from './places.ts';

const inTime = { limitMs: 60_000, everyMs: 100 };
const { HEARTBEAT_INTERVAL, NODE_LOST_AFTER, NODE_STALE_AFTER } = defaults;
/** Allows for the work of a busy machine. */
const slackMs = 5_000;
const say = (text: string): void => void process.stdout.write(`      ${text}\n`);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

describe('the service on several hosts', function () {
  this.timeout(180_000);
  let service: Installation;
  let client: Client;
  const closing: (() => Promise<unknown>)[] = [];

  before(async () => {
    const missing = ensureDebianPackages(hostPackages);
    if (process.platform !== 'linux' || process.getuid?.() !== 0 || missing.length > 0)
      throw new Error(
        `This makes network namespaces: it is for root on Linux, with Debian's packages ${Object.keys(hostPackages).join(' ')}.`,
      );
    const startedAt = performance.now();
    service = await startInstallation();
    closing.unshift(service.stop);
    client = await newClient(service);
    closing.unshift(client.close);
    say(`everything serves after ${seconds(performance.now() - startedAt)}`);
  });
  after(async () => {
    for (const close of closing) await close();
  });

  /** Undoes what a test that failed has done to hosts. */
  afterEach(() => {
    service.clock.set(new Date());
    for (const host of Object.values(service.hosts)) {
      host.setLink('up');
      host.dropFrom(undefined);
      host.limitRate(undefined);
    }
  });

  const createMany = (count: number) => Promise.all(Array.from({ length: count }, () => client.create()));
  /** Ends what earlier tests have left. */
  async function endAll(): Promise<void> {
    const { data } = (await client.call('GET /v1/sessions')) as { data: { id: string; status: string }[] };
    await client.end(...data.filter(({ status }) => status === 'ready').map(({ id }) => id));
    await until(async () => {
      const views = await Promise.all(nodeNames.map(service.node));
      return views.every((view) => view?.sessions.length === 0 && view.ageMs < 1.5 * HEARTBEAT_INTERVAL);
    }, inTime);
  }
  /** One session on each node, and no others. */
  async function oneOnEach(): Promise<Readonly<Record<NodeName, string>>> {
    await endAll();
    const placed: [NodeName, string][] = [];
    // Each is in a heartbeat before the next is placed: processes of write-api do not know each other's reservations.
    while (placed.length < nodeNames.length) {
      const id = await client.create();
      placed.push([await service.nodeOf(id), id]);
    }
    const sessions = Object.fromEntries(placed) as Record<NodeName, string>;
    expect(Object.keys(sessions)).to.have.members(nodeNames);
    return sessions;
  }
  const hasEnded = (id: string) => until(async () => (await client.statusOf(id)) === 'errored', inTime);
  const isThere = (name: NodeName) =>
    until(async () => ((await service.node(name))?.ageMs ?? Infinity) < HEARTBEAT_INTERVAL, inTime);

  const hasNone = (name: NodeName) =>
    until(async () => (await service.node(name))?.sessions.length === 0, inTime);

  it('spreads sessions, also to a node that none of the other hosts can reach', async () => {
    const ids = await createMany(6);
    const nodes = await Promise.all(ids.map(service.nodeOf));
    // Each of two processes of write-api spreads those that it gets.
    for (const name of nodeNames)
      expect(nodes.filter((node) => node === name).length, name).to.be.within(1, 3);
    // Twice, so that connections to both gateways and APIs are used.
    for (const id of [...ids, ...ids]) await client.visit(id);
    for (const name of [...apiHosts, 'control', 'client'] as const)
      expect(() => service.hosts[name].run('ip', 'route', 'get', addresses[hidden]), name).to.throw();
    await client.end(...ids);
  });

  it('ends the sessions of a host without a network after the documented time, and no others', async () => {
    const sessions = await oneOnEach();
    const [host, lost] = [service.hosts['node-1'], sessions['node-1']];
    const downAt = performance.now();
    host.setLink('down');
    await hasEnded(lost);
    const lostMs = performance.now() - downAt;
    say(`lost after ${seconds(lostMs)}`);
    const sweepMs = NODE_LOST_AFTER / 6;
    const latestMs = NODE_LOST_AFTER + sweepMs + HEARTBEAT_INTERVAL + slackMs;
    expect(lostMs).to.be.within(NODE_LOST_AFTER - HEARTBEAT_INTERVAL, latestMs);
    for (const name of ['node-2', hidden] as const) await client.visit(sessions[name]);
    const others = await createMany(3);
    for (const id of others) expect(await service.nodeOf(id)).not.to.equal('node-1');

    const upAt = performance.now();
    host.setLink('up');
    await isThere('node-1');
    say(`there again after ${seconds(performance.now() - upAt)}`);
    await hasNone('node-1');
    const next = await client.create();
    expect(await service.nodeOf(next)).to.equal('node-1');
    await client.visit(next);
  });

  it('places sessions elsewhere, or refuses them in time, while the messages of a node are lost; its sessions survive', async () => {
    const sessions = await oneOnEach();
    const more = await createMany(6);
    for (const id of more) if ((await service.nodeOf(id)) === 'node-2') await client.end(id);
    const receivers = [...apiHosts, 'control'] as const;
    for (const name of receivers) service.hosts[name].dropFrom(addresses['node-2']);
    const early = Promise.all([1, 2].map(() => client.ask('POST /v1/sessions', {})));
    await until(async () => ((await service.node('node-2'))?.ageMs ?? 0) > 1.5 * HEARTBEAT_INTERVAL, inTime);
    const late = await client.ask('POST /v1/sessions', {});
    expect(late.status, JSON.stringify(late.json)).to.equal(201);
    expect(late.ms).to.be.below(slackMs);
    await client.visit(String(late.json.id));
    for (const { status, json, ms } of await early) {
      say(`answered ${status} after ${seconds(ms)}`);
      expect([201, 503, 504], JSON.stringify(json)).to.include(status);
      expect(ms).to.be.below(NODE_STALE_AFTER + slackMs);
      if (status === 201) await client.visit(String(json.id));
    }
    for (const name of receivers) service.hosts[name].dropFrom(undefined);
    await isThere('node-2');
    await client.visit(sessions['node-2']);
    await until(async () => (await service.node('node-2'))?.sessions.join() === sessions['node-2'], inTime);
  });

  it('carries sessions over a slow link', async () => {
    const sessions = await oneOnEach();
    service.hosts['node-1'].limitRate(64_000);
    const startedAt = performance.now();
    await client.visit(sessions['node-1']);
    await client.end(sessions['node-1']);
    await hasNone('node-1');
    const again = await client.create();
    expect(await service.nodeOf(again)).to.equal('node-1');
    await client.visit(again);
    say(`took ${seconds(performance.now() - startedAt)} at 64 kbit/s`);
  });

  it('works while the clocks of two hosts are wrong by half a minute, which the doctor reports', async () => {
    const sessions = await oneOnEach();
    for (const [offMs, how] of [
      [30_000, 'ahead of'],
      [-30_000, 'behind'],
    ] as const) {
      service.clock.set(new Date(Date.now() + offMs));
      const { id: node = '' } = (await service.node('node-2')) ?? {};
      // The doctor knows the node's clock from its heartbeats, so it takes some of them.
      const parts = await until(async () => {
        const { stdout } = await service.operate('api-2', 'doctor', '--json');
        const found = JSON.parse(stdout) as { part: string; state: string; says: string }[];
        const isNamed = new RegExp(`that of ${node} is \\d+ ms ${how} it`);
        return found.some(({ says }) => isNamed.test(says)) ? found : undefined;
      }, inTime);
      expect(parts.filter(({ state }) => state === 'ill').map(({ part }) => part)).to.deep.equal(['clock']);
      const { says = '' } = parts.find(({ part }) => part === 'clock') ?? {};
      say(`clock: ${says}`);
      expect(says).to.match(
        new RegExp(
          `^(29|30)\\d{3} ms ${how} that of Postgres; that of ${node} is (29|30)\\d{3} ms ${how} it$`,
        ),
      );
      const created = await createMany(6);
      for (const id of [...Object.values(sessions), ...created]) await client.visit(id);
      await client.end(...created);
    }
  });

  it('drains a node: it takes nothing new, and stops once its sessions have ended by themselves', async () => {
    const sessions = await oneOnEach();
    const idle = await client.create({ idle_timeout_seconds: 5 });
    const host = await service.nodeOf(idle);
    const { id: node = '' } = (await service.node(host)) ?? {};
    expect((await service.operate('control', 'nodes', 'drain', node)).status).to.equal(0);
    await until(async () => (await service.node(host))?.draining, inTime);
    for (const id of await createMany(4)) expect(await service.nodeOf(id)).not.to.equal(host);
    const member = service.member(host, 'node');
    const stopped = member.stop();
    await client.visit(sessions[host]);
    await until(async () => (await client.statusOf(idle)) === 'destroyed', inTime);
    await client.visit(sessions[host]);
    await client.end(sessions[host]);
    expect(await stopped).to.equal(0);
    expect((await service.operate('control', 'nodes', 'undrain', node)).status).to.equal(0);
    await member.start();
  });

  it('fails no request while every role of every host is restarted, one after the other', async function () {
    this.timeout(300_000);
    await endAll();
    const { apiKey, fetch } = client;
    const load = startLoad({ baseUrl: urls.BASE_URL, apiKey, fetch, everyMs: 500 });
    try {
      await load.goesOn();
      for (const member of service.members) {
        expect(await member.restart(), `${member.role} on ${member.host.name}`).to.equal(0);
        await load.goesOn();
      }
    } finally {
      say(JSON.stringify(await load.stop()));
    }
    expect(load.failed).to.deep.equal([]);
  });
});
