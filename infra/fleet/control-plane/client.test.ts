import { createHook } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import pino from 'pino';
import { toId } from '../../../contracts/ids.ts';
import { onlyPepper } from '../../keys/index.ts';
import { until } from '../../verification/testbed/index.ts';
import { createFleet } from './client.ts';
import { NodeNotCalled, NodeSilent } from './port.ts';
import type { NodeRegistry } from './registry.ts';

describe('the room on a node', () => {
  const node = toId('node', randomUUID());
  const session = toId('session', randomUUID());
  const account = toId('account', randomUUID());

  /** A node with room for one session, with the test's answers; its last heartbeat reports no sessions. */
  async function startNode() {
    const asked = new Map<string, ServerResponse>();
    const server = createServer((request, response) => {
      asked.set(request.method ?? '', response);
      request.resume();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const row = {
      nodeId: node,
      url: '',
      driver: 'simulated',
      capacity: 1,
      sessions: [],
      draining: false,
    } as const;
    const registry = {
      list: () => Promise.resolve([{ ...row, ageMs: 1_000 }]),
      listeningForMs: () => Promise.resolve(60_000),
      address: () => Promise.resolve({ url: `http://127.0.0.1:${port}`, credential: 'secret' }),
    };
    const logger = pino({ level: 'silent' });
    const fleet = createFleet({ registry, logger, peppers: onlyPepper('pepper') });
    const close = async () => {
      server.closeAllConnections();
      server.close();
      await fleet.close();
    };
    return { fleet, answerTo: (method: string) => until(() => asked.get(method)), close };
  }

  it('is not reserved by a check whether the fleet takes sessions', async () => {
    const { fleet, close } = await startNode();
    for (let times = 0; times < 20; times += 1) expect(await fleet.takesSessions()).to.equal(true);
    expect(await fleet.place()).to.equal(node);
    expect(await fleet.place()).to.equal(undefined);
    expect(await fleet.takesSessions()).to.equal(true);
    await close();
  });

  it('stays reserved for a browser that is destroyed while it starts, until it has exited', async () => {
    const { fleet, answerTo, close } = await startNode();
    expect(await fleet.place()).to.equal(node);
    const dispatch = { session_id: session, dispatch_id: randomUUID(), archetype: 'any' };
    const starting = fleet.create(node, dispatch, { account, deadlineMs: 10_000 });
    const started = await answerTo('POST');
    const ending = fleet.destroy(node, session);
    const ended = await answerTo('DELETE');
    expect(await fleet.place()).to.equal(undefined);
    started.end('{"outcome":"succeeded","egress_capabilities":null}');
    ended.writeHead(204).end();
    await Promise.all([starting, ending]);
    expect(await fleet.place()).to.equal(node);
    await close();
  });
});

describe('the address of a node', () => {
  const [node, session] = [toId('node', randomUUID()), toId('session', randomUUID())];
  const account = toId('account', randomUUID());

  /** A node that does what it is asked, and a fleet that looks up its address by the test's function. */
  async function startNode() {
    const asked: string[] = [];
    const server = createServer(({ method, url }, response) => {
      asked.push(`${method} ${url}`);
      const result = url === '/sessions' ? { egress_capabilities: null } : { result: {} };
      response.end(JSON.stringify({ outcome: 'succeeded', ...result }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const known = () => Promise.resolve({ url: `http://127.0.0.1:${port}`, credential: 'secret' });
    const registry = {
      list: () => Promise.resolve([]),
      listeningForMs: () => Promise.resolve(60_000),
      address: known as NodeRegistry['address'],
    };
    const logger = pino({ level: 'silent' });
    const looked: NodeRegistry['address'] = (id) => registry.address(id);
    const fleet = createFleet({
      registry: { ...registry, address: looked },
      ...{ logger, peppers: onlyPepper('pepper') },
    });
    const operate = () => {
      const dispatch = { dispatch_id: randomUUID(), operation: 'navigate', input: {} } as const;
      return fleet.operate(node, session, { ...dispatch, timeout_ms: 1000 }, 10_000);
    };
    const create = () => {
      const dispatch = { session_id: session, dispatch_id: randomUUID(), archetype: 'any' };
      return fleet.create(node, dispatch, { account, deadlineMs: 10_000 });
    };
    const close = async () => {
      server.closeAllConnections();
      server.close();
      await fleet.close();
    };
    return { fleet, registry, known, asked, operate, create, close };
  }

  it('is looked up once for simultaneous operations, and again for each session to create', async () => {
    const { registry, known, operate, create, close } = await startNode();
    let lookups = 0;
    registry.address = () => {
      lookups += 1;
      return known();
    };
    await Promise.all([operate(), operate(), operate()]);
    expect(lookups).to.equal(1);
    for (const expected of [2, 3]) {
      await create();
      expect(lookups).to.equal(expected);
    }
    await close();
  });

  it('is called with a timeout whose timer ends with the answer', async () => {
    const { operate, create, close } = await startNode();
    const [timeoutMs, pending] = [10_000, new Set<number>()];
    let begun = 0;
    const hook = createHook({
      init: (id, type, _trigger, resource: { _idleTimeout?: number }) => {
        if (type !== 'Timeout' || resource._idleTimeout !== timeoutMs) return;
        begun += 1;
        pending.add(id);
      },
      destroy: (id) => void pending.delete(id),
    }).enable();
    await Promise.all([operate(), create()]);
    // The hook is called after the timer has been cleared; timers that are not cleared are still pending after ten seconds.
    await until(() => pending.size === 0, { limitMs: 2_000 });
    expect(begun).to.be.above(0);
    hook.disable();
    await close();
  });

  it('may be unknown to a process that has just started: it calls the node when it is known again', async () => {
    const { fleet, registry, known, asked, operate, create, close } = await startNode();
    for (const address of [() => Promise.resolve(undefined), () => Promise.reject(new Error('away'))]) {
      registry.address = address;
      for (const call of [operate, create]) {
        const failed: unknown = await call().catch((error: unknown) => error);
        expect(failed).to.be.instanceOf(NodeNotCalled);
      }
      await fleet.destroy(node, session);
    }
    expect(asked).to.deep.equal([]);
    registry.address = known;
    expect(await operate()).to.include({ outcome: 'succeeded' });
    await close();
  });
});

describe('a node that has fallen silent', () => {
  const [dead, alive] = [toId('node', randomUUID()), toId('node', randomUUID())];
  const account = toId('account', randomUUID());

  /** A node that accepts connections but does not answer, one that answers, and the times of their last heartbeats. */
  async function startNodes(given: { dead: number; alive: number }) {
    const ages = { ...given, listeningFor: 60_000, looks: 0 };
    const asked: string[] = [];
    const silent = createServer((request) => void asked.push(`dead ${request.method} ${request.url}`));
    const answering = createServer((request, response) => {
      asked.push(`alive ${request.method} ${request.url}`);
      response.end('{}');
    });
    const servers = [silent, answering].map((server) => server.listen(0, '127.0.0.1'));
    const ports = await Promise.all(
      servers.map(async (server) => {
        await once(server, 'listening');
        return (server.address() as AddressInfo).port;
      }),
    );
    const rowOf = (nodeId: typeof dead, ageMs: number, sessions: readonly (typeof session)[] = []) =>
      ({ nodeId, ageMs, sessions, url: '', driver: 'simulated', capacity: 10, draining: false }) as const;
    const registry = {
      listeningForMs: () => Promise.resolve(ages.listeningFor),
      list: () => {
        ages.looks += 1;
        return Promise.resolve([rowOf(dead, ages.dead), rowOf(alive, ages.alive, [session])]);
      },
      address: (node: typeof dead) =>
        Promise.resolve({ url: `http://127.0.0.1:${ports[node === dead ? 0 : 1]}`, credential: 'secret' }),
    };
    const logger = pino({ level: 'silent' });
    const fleet = createFleet({ registry, logger, peppers: onlyPepper('pepper') });
    const close = async () => {
      for (const server of servers) server.closeAllConnections();
      for (const server of servers) server.close();
      await fleet.close();
    };
    return { fleet, asked, ages, close };
  }
  const session = toId('session', randomUUID());

  it('gets no session, and is not tried again until its next heartbeat', async () => {
    const { fleet, asked, ages, close } = await startNodes({ dead: 4_000, alive: 4_000 });
    expect(await fleet.place()).to.equal(alive);
    expect(await fleet.place()).to.equal(alive);
    expect(asked).to.deep.equal(['dead GET /status', 'alive GET /status', 'alive GET /status']);
    ages.dead = 0;
    expect(await fleet.place()).to.equal(dead);
    expect(asked).to.have.length(3);
    await close();
  });

  it('is tried again after its next heartbeat, even if the wall clock was set back meanwhile', async () => {
    const { fleet, ages, close } = await startNodes({ dead: 4_000, alive: 4_000 });
    expect(await fleet.place()).to.equal(alive);
    const { Date: wallClock } = globalThis;
    globalThis.Date = class extends wallClock {
      constructor(at: number = wallClock.now() - 60_000) {
        super(at);
      }
    } as DateConstructor;
    ages.dead = 0;
    const placed = await fleet.place().finally(() => (globalThis.Date = wallClock));
    expect(placed).to.equal(dead);
    await close();
  });

  it('is waited for only until it counts as silent', async () => {
    const { fleet, ages, close } = await startNodes({ dead: 100, alive: 100 });
    const dispatch = { session_id: session, dispatch_id: randomUUID(), archetype: 'any' };
    const starting = fleet.create(dead, dispatch, { account, deadlineMs: 60_000 });
    Object.assign(ages, { dead: 15_000, listeningFor: 100 });
    // After two looks, so that the result of the first has been handled.
    const later = until(() => ages.looks >= 2 && 'waits');
    expect(await Promise.race([later, starting])).to.equal('waits');
    ages.listeningFor = 60_000;
    const failed: unknown = await starting.catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(NodeSilent);
    await close();
  });

  it('gets sessions that no other node has room for, and releases reservations that were placed elsewhere', async () => {
    const { fleet, close } = await startNodes({ dead: 4_000, alive: 100 });
    for (let times = 0; times < 9; times += 1) expect(await fleet.place()).to.equal(alive);
    expect(await fleet.takesSessions()).to.equal(true);
    for (let times = 0; times < 10; times += 1) expect(await fleet.place()).to.equal(dead);
    expect(await fleet.place()).to.equal(undefined);
    await close();
  });
});
