import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import pino from 'pino';
import type { NodeStatus } from '../../../contracts/fleet/protocol.ts';
import { toId } from '../../../contracts/ids.ts';
import { nodeIdOf } from '../control-plane/credential.ts';
import { createFleetIngress } from '../control-plane/ingress.ts';
import { registryOf } from '../testing.ts';
import { startSilentHost } from '../testing/silent-host.ts';
import { createControlPlane } from './control-plane.ts';

const logger = pino({ level: 'silent' });
const status: NodeStatus = { driver: 'simulated', capacity: 1, sessions: [], draining: false };

/** The routes of a control plane, which keep when heartbeats were sent. */
async function startIngress() {
  const sent: (Date | undefined)[] = [];
  const ingress = createFleetIngress({
    registry: {
      ...registryOf({ url: '', credential: '' }),
      heartbeat: async (_beat, _credential, sentAt) => void sent.push(sentAt),
      internal: () => Promise.resolve([]),
      instances: () => Promise.resolve([]),
      listening: () => Promise.resolve(),
      present: () => Promise.resolve(),
      forget: () => Promise.resolve(),
    },
    ...{ joinToken: 'join-me', heartbeatMs: 50, logger },
    nodes: { register: () => Promise.resolve(), authenticate: () => Promise.resolve('active') },
    sessionsToDestroy: () => Promise.resolve([]),
    onReport: () => Promise.resolve(),
  });
  const server = createServer(express().use(ingress)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, sent, close: () => server.close() };
}

describe('a node’s calls of the control plane', () => {
  it('contain the time at which they were sent, by the node’s clock', async () => {
    const { url, sent, close } = await startIngress();
    const at = new Date('2026-01-05T12:00:00.123Z');
    const credential = `nod_${randomUUID()}_${'c'.repeat(32)}`;
    const options = { url, logger, joinToken: 'join-me', credential, clock: { now: () => at } };
    const controlPlane = createControlPlane(options);
    await controlPlane.heartbeat({ node_id: nodeIdOf(credential), url: 'http://node.test', status });
    expect(sent).to.deep.equal([at]);
    await controlPlane.close();
    close();
  });

  it('have their own timeout, which includes the connection', async () => {
    const [url, close] = await startSilentHost();
    const controlPlane = createControlPlane({ url, logger, joinToken: 'a', credential: 'b', callMs: 100 });
    const beat = { node_id: toId('node', randomUUID()), url: 'http://node.test', status };
    const startedAt = performance.now();
    const failure: unknown = await controlPlane.heartbeat(beat).catch((error: unknown) => error);
    expect(String(failure)).to.include('TimeoutError');
    expect(performance.now() - startedAt).to.be.lessThan(5_000);
    await controlPlane.close();
    await close();
  });
});
