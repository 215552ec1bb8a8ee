import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import express from 'express';
import pino from 'pino';
import type { Report } from '../../contracts/fleet/protocol.ts';
import { toId, type NodeId, type SessionId } from '../../contracts/ids.ts';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import { onlyPepper } from '../keys/index.ts';
import { createOutboundGuard } from '../outbound/guard.ts';
import { connectPostgres, migrate } from '../postgres/index.ts';
import { freshDatabase, tempDir, until } from '../verification/testbed/index.ts';
import { createFleet } from './control-plane/client.ts';
import { createFleetIngress } from './control-plane/ingress.ts';
import { NodeNotCalled, NodeSilent, type Fleet } from './control-plane/port.ts';
import { createNodeRegistry, fleetMigrations } from './control-plane/registry.ts';
import { startNode, type RunningNode } from './node/index.ts';
import { createSimulatedDriver, type SimulatedDriverOptions } from './simulated/index.ts';

const logger = pino({ level: 'silent' });
const newSession = (): SessionId => toId('session', randomUUID());
const create = (session: SessionId, dispatchId: string = randomUUID()) => ({
  session_id: session,
  dispatch_id: dispatchId,
  archetype: archetypeCatalogue.default,
});
const call = (deadlineMs = 2_000) => ({ account: toId('account', randomUUID()), deadlineMs });
const navigate = (url: string, timeout_ms = 1_000) => ({
  dispatch_id: randomUUID(),
  operation: 'navigate' as const,
  input: { url },
  timeout_ms,
});

/** Everything between the control plane's port and a node, in this process, on a real database and real sockets. */
async function startFleet() {
  const database = await freshDatabase();
  const postgres = connectPostgres({ url: database.url, logger });
  await migrate(postgres.pool, fleetMigrations);
  const registry = createNodeRegistry({ pool: postgres.pool, sealingKeys: [Buffer.alloc(32, 7)] });
  const record = new Map<NodeId, { credentialHash: string; status: 'active' | 'draining' | 'revoked' }>();
  const reports: Report[] = [];
  const doomed = new Set<SessionId>();
  let refuseReports = 0;
  const ingress = createFleetIngress({
    registry,
    joinToken: 'join-me',
    heartbeatMs: 30,
    logger,
    nodes: {
      register: ({ nodeId, credentialHash }) => {
        if (!record.has(nodeId)) record.set(nodeId, { credentialHash, status: 'active' });
        return Promise.resolve();
      },
      authenticate: (nodeId, credentialHash) => {
        const known = record.get(nodeId);
        return Promise.resolve(known?.credentialHash === credentialHash ? known.status : 'unknown');
      },
    },
    sessionsToDestroy: (_node, sessions) => Promise.resolve(sessions.filter((id) => doomed.has(id))),
    onReport: (_node, report) => {
      refuseReports -= 1;
      if (refuseReports >= 0) return Promise.reject(new Error('not now'));
      reports.push(report);
      return Promise.resolve();
    },
  });
  const server = createServer(express().use(ingress)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const fleet = createFleet({ registry, logger, peppers: onlyPepper('pepper') });
  const nodes: RunningNode[] = [];
  const addNode = async (
    options: Partial<SimulatedDriverOptions> & {
      capacity?: number;
      joinToken?: string;
      dataDir?: string;
    } = {},
  ) => {
    const dataDir = options.dataDir ?? tempDir('node');
    const driverLog = join(dataDir, 'driver.log');
    const node = await startNode({
      name: 'a node',
      dataDir,
      driver: createSimulatedDriver({ guard: createOutboundGuard(), ...options }),
      capacity: options.capacity ?? 4,
      controlPlaneUrl: `http://127.0.0.1:${port}`,
      joinToken: options.joinToken ?? 'join-me',
      logger,
      driverLog,
      operationGraceMs: 200,
      registerRetryMs: 20,
    });
    nodes.push(node);
    const launches = () =>
      readFileSync(driverLog, 'utf8')
        .split('\n')
        .filter((line) => line.includes('"launch"')).length;
    return { node, dataDir, launches };
  };
  return {
    fleet,
    pool: postgres.pool,
    registry,
    record,
    reports,
    doomed,
    addNode,
    refuseNextReports: (count: number) => {
      refuseReports = count;
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => node.drain(200)));
      await fleet.close();
      server.close();
      server.closeAllConnections();
      await postgres.close();
      await database.drop();
    },
  };
}

async function ready(fleet: Fleet, node: NodeId): Promise<SessionId> {
  const session = newSession();
  expect(await fleet.create(node, create(session), call())).to.include({ outcome: 'succeeded' });
  return session;
}

describe('the fleet', () => {
  let world: Awaited<ReturnType<typeof startFleet>>;
  beforeEach(async () => {
    world = await startFleet();
  });
  afterEach(() => world.stop());

  it('places, creates, operates and destroys on a node that registered itself', async () => {
    const { node } = await world.addNode();
    const id = await node.registered;
    expect(await until(() => world.fleet.place())).to.equal(id);
    const session = await ready(world.fleet, id);
    const outcome = await world.fleet.operate(id, session, navigate('http://sim.test/'), 2_000);
    expect(outcome).to.have.nested.property('result.final_url', 'http://sim.test/');
    await world.fleet.destroy(id, session);
    expect(node.status().sessions).to.deep.equal([]);
    expect(world.reports).to.deep.equal([]);
  });

  it('starts one browser when the same create is sent twice, and gives both the same outcome', async () => {
    const { node, launches } = await world.addNode({ waits: { launch: () => delay(30) } });
    const id = await node.registered;
    const dispatch = create(newSession());
    const both = [dispatch, dispatch].map((each) => world.fleet.create(id, each, call()));
    const outcomes = await Promise.all(both);
    expect(outcomes[0]).to.deep.equal(outcomes[1]);
    expect(await world.fleet.create(id, dispatch, call())).to.deep.equal(outcomes[0]);
    expect(launches()).to.equal(1);
  });

  it('rejects with NodeSilent when the deadline is shorter than the operation, whose outcome a repeat gets', async () => {
    const { node } = await world.addNode();
    const id = await node.registered;
    const session = await ready(world.fleet, id);
    const dispatch = navigate('http://sim.test/slow?ms=150', 5_000);
    const failure: unknown = await world.fleet
      .operate(id, session, dispatch, 50)
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(NodeSilent);
    expect(await world.fleet.operate(id, session, dispatch, 2_000)).to.include({ outcome: 'succeeded' });
  });

  it('rejects with NodeNotCalled for an unknown node', async () => {
    const failure: unknown = await world.fleet
      .create(toId('node', randomUUID()), create(newSession()), call(500))
      .catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(NodeNotCalled);
  });

  it('calls a node at its last address while the registry is unavailable', async () => {
    let address = world.registry.address;
    const registry = { ...world.registry, address: (node: NodeId) => address(node) };
    const fleet = createFleet({ registry, logger, peppers: onlyPepper('pepper') });
    const { node } = await world.addNode();
    const id = await node.registered;
    const session = await ready(fleet, id);
    for (address of [() => Promise.reject(new Error('away')), () => Promise.resolve(undefined)]) {
      const outcome = await fleet.operate(id, session, navigate('http://sim.test/'), 2_000);
      expect(outcome).to.include({ outcome: 'succeeded' });
    }
    await fleet.close();
  });

  it('spreads a burst over the nodes and stops at their capacity', async () => {
    const added = await Promise.all([world.addNode({ capacity: 2 }), world.addNode({ capacity: 2 })]);
    const ids = await Promise.all(added.map(({ node }) => node.registered));
    await until(async () => (await world.registry.list()).length === 2);
    const placed = await Promise.all([1, 2, 3, 4, 5].map(() => world.fleet.place()));
    for (const id of ids) expect(placed.filter((node) => node === id)).to.have.length(2);
    expect(placed.filter((node) => node === undefined)).to.have.length(1);
  });

  it('releases the room of a destroyed session', async () => {
    const { node } = await world.addNode({ capacity: 1 });
    const id = await until(() => world.fleet.place());
    const session = await ready(world.fleet, id);
    expect(await world.fleet.place()).to.equal(undefined);
    await world.fleet.destroy(id, session);
    expect(await until(() => world.fleet.place())).to.equal(id);
    expect(node.status().sessions).to.deep.equal([]);
  });

  it('reports the death of a browser until the report is accepted', async () => {
    const { node } = await world.addNode();
    const id = await node.registered;
    const session = await ready(world.fleet, id);
    world.refuseNextReports(1);
    const outcome = await world.fleet.operate(id, session, navigate('http://sim.test/crash'), 2_000);
    expect(outcome).to.have.nested.property('failure.kind', 'driver');
    await until(() => world.reports.some((report) => report.session_id === session));
    await until(() => node.status().sessions.length === 0);
  });

  it('sends reports of browsers, each with its own id, until they are accepted', async () => {
    const { node } = await world.addNode();
    const id = await node.registered;
    const session = await ready(world.fleet, id);
    world.refuseNextReports(1);
    for (const path of ['challenge', 'dead-proxy'])
      await world.fleet.operate(id, session, navigate(`http://sim.test/${path}`), 2_000);
    const kinds = ['challenge_detected', 'egress_capabilities'];
    await until(() => world.reports.map(({ kind }) => kind).join() === kinds.join());
    expect(new Set(world.reports.map(({ report_id }) => report_id)).size).to.equal(2);
  });

  it('gives up a browser that does not answer, and ends it', async () => {
    const { node } = await world.addNode();
    const id = await node.registered;
    const session = await ready(world.fleet, id);
    const outcome = await world.fleet.operate(id, session, navigate('http://sim.test/hang', 50), 2_000);
    expect(outcome).to.have.nested.property('failure.kind', 'silent');
    await until(() => node.status().sessions.length === 0);
  });

  it('ends the sessions that the answer to a heartbeat names, and gets none while draining but those placed before', async () => {
    const { node } = await world.addNode();
    const id = await node.registered;
    const session = await ready(world.fleet, id);
    world.doomed.add(session);
    await until(() => node.status().sessions.length === 0);
    const record = world.record.get(id);
    if (record) world.record.set(id, { ...record, status: 'draining' });
    await until(() => node.status().draining);
    expect(await until(async () => (await world.fleet.place()) === undefined)).to.equal(true);
    const outcome = await world.fleet.create(id, create(newSession()), call(1_000));
    expect(outcome).to.have.property('outcome', 'succeeded');
  });

  it('reports every session when it is drained for good', async () => {
    const { node } = await world.addNode();
    const id = await node.registered;
    const sessions = await Promise.all([ready(world.fleet, id), ready(world.fleet, id)]);
    await node.drain();
    expect(world.reports.map((report) => report.session_id)).to.have.members(sessions);
  });

  it('stays the same node after a restart, and is expelled with its sessions once revoked', async () => {
    const first = await world.addNode();
    const id = await first.node.registered;
    await first.node.drain();
    const second = await world.addNode({ dataDir: first.dataDir });
    expect(await second.node.registered).to.equal(id);
    await ready(world.fleet, id);
    const record = world.record.get(id);
    if (record) world.record.set(id, { ...record, status: 'revoked' });
    await until(() => second.node.status().sessions.length === 0 && second.node.status().draining);
    expect(await world.registry.list()).to.deep.equal([]);
    expect(await world.fleet.place()).to.equal(undefined);
  });

  it('stores no credential unencrypted', async () => {
    const { node, dataDir } = await world.addNode();
    const id = await node.registered;
    const credential = readFileSync(join(dataDir, 'credential'), 'utf8');
    expect(JSON.stringify(world.record.get(id))).not.to.include(credential);
    expect((await world.registry.address(id))?.credential).to.equal(credential);
    const stranger = createNodeRegistry({ pool: world.pool, sealingKeys: [Buffer.alloc(32, 8)] });
    expect(await stranger.address(id).catch(() => 'sealed')).to.equal('sealed');
  });

  it('refuses a node without the join token, and a call without the credential', async () => {
    const { node } = await world.addNode({ joinToken: 'guess' });
    const reply = await fetch(`${node.url}/status`, { headers: { authorization: 'Bearer guess' } });
    expect(reply.status).to.equal(401);
    expect(world.record.size).to.equal(0);
  });
});
