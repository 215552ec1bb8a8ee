import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import pino from 'pino';
import { controlRoutes, pathOf } from '../../contracts/fleet/protocol.ts';
import { createOutboundGuard } from '../outbound/guard.ts';
import { connectPostgres, migrate } from '../postgres/index.ts';
import { freshDatabase, tempDir, until } from '../verification/testbed/index.ts';
import { createCredential, nodeIdOf } from './control-plane/credential.ts';
import { createFleetIngress } from './control-plane/ingress.ts';
import { createNodeRegistry, fleetMigrations } from './control-plane/registry.ts';
import { startNode } from './node/index.ts';
import { createSimulatedDriver } from './simulated/index.ts';

const logger = pino({ level: 'silent' });

describe('the internal addresses of an installation', () => {
  const closing: (() => Promise<unknown>)[] = [];
  let controlPlaneUrl = '';

  before(async () => {
    const database = await freshDatabase();
    const postgres = connectPostgres({ url: database.url, logger });
    await migrate(postgres.pool, fleetMigrations);
    const ingress = createFleetIngress({
      registry: createNodeRegistry({ pool: postgres.pool, sealingKeys: [Buffer.alloc(32, 7)] }),
      ...{ joinToken: 'join-me', heartbeatMs: 30, logger, internal: ['127.0.0.1:8081'] },
      nodes: { register: () => Promise.resolve(), authenticate: () => Promise.resolve('active') },
      sessionsToDestroy: () => Promise.resolve([]),
      onReport: () => Promise.resolve(),
    });
    const server = createServer(express().use(ingress)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    controlPlaneUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    closing.push(
      () => database.drop(),
      postgres.close,
      async () => server.close().closeAllConnections(),
    );
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
  });

  async function addNode(internal: readonly string[]) {
    const told: (readonly string[])[] = [];
    const node = await startNode({
      ...{ name: 'a node', dataDir: tempDir('node'), capacity: 1, logger, registerRetryMs: 20 },
      driver: createSimulatedDriver({ guard: createOutboundGuard() }),
      ...{ controlPlaneUrl, joinToken: 'join-me', internal },
      onInternal: (places) => void told.push(places),
    });
    closing.push(() => node.drain(200));
    await node.registered;
    return told;
  }

  it('are sent to each node, with those of other nodes, before its first session and with each heartbeat', async () => {
    const first = await addNode(['127.0.0.1:9001']);
    expect(first[0]).to.have.members(['127.0.0.1:8081', '127.0.0.1:9001']);
    const second = await addNode(['10.0.0.2:9002']);
    const all = ['127.0.0.1:8081', '127.0.0.1:9001', '10.0.0.2:9002'];
    expect(second[0]).to.have.members(all);
    await until(() => first.at(-1)?.length === all.length);
    expect(first.at(-1)).to.have.members(all);
  });

  it('are not sent to a node of an earlier release, which sends none', async () => {
    const answered = async (path: string, bearer: string, body: object): Promise<unknown> => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
      const reply = await fetch(controlPlaneUrl + path, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return reply.json();
    };
    const credential = createCredential();
    const said = { url: 'http://127.0.0.1:9', driver: 'simulated', capacity: 1 };
    const registered = await answered(pathOf(controlRoutes.register), 'join-me', {
      ...{ ...said, name: 'older', credential },
    });
    expect(registered).to.have.all.keys('node_id', 'heartbeat_ms');
    const { url, ...status } = said;
    const beat = await answered(pathOf(controlRoutes.heartbeat), credential, {
      ...{ node_id: nodeIdOf(credential), url, status: { ...status, sessions: [], draining: false } },
    });
    expect(beat).to.have.all.keys('destroy', 'draining');
  });
});
