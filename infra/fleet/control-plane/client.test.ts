import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import pino from 'pino';
import { toId } from '../../../contracts/ids.ts';
import { onlyPepper } from '../../keys/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { until } from '../../verification/testbed/index.ts';
import { createFleet } from './client.ts';

describe('the room on a node', () => {
  const node = toId('node', randomUUID());
  const session = toId('session', randomUUID());
  const account = toId('account', randomUUID());

  /** A node with room for one session, whose answers the test gives, and whose last heartbeat knows of none. */
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
      address: () => Promise.resolve({ url: `http://127.0.0.1:${port}`, credential: 'secret' }),
    };
    const logger = pino({ level: 'silent' });
    const fleet = createFleet({ registry, clock: systemClock, logger, peppers: onlyPepper('pepper') });
    const close = async () => {
      server.closeAllConnections();
      server.close();
      await fleet.close();
    };
    return { fleet, answerTo: (method: string) => until(() => asked.get(method)), close };
  }

  it('is not taken by a question', async () => {
    const { fleet, close } = await startNode();
    for (let times = 0; times < 20; times += 1) expect(await fleet.takesSessions()).to.equal(true);
    expect(await fleet.place()).to.equal(node);
    expect(await fleet.place()).to.equal(undefined);
    expect(await fleet.takesSessions()).to.equal(true);
    await close();
  });

  it('is taken by a browser that is destroyed while it starts, until the browser is gone', async () => {
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
