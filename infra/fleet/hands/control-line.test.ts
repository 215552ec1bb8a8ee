import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import pino from 'pino';
import type { RoomRequest, RoomState } from '../../../contracts/fleet/room.ts';
import { toId } from '../../../contracts/ids.ts';
import { until } from '../../verification/testbed/index.ts';
import { openControlLine } from './control-line.ts';
import { startSilentHost } from '../testing/silent-host.ts';
import { stateOf } from './testing/room.ts';

const id = toId('agentSession', randomUUID());
const request: RoomRequest = {
  ...{ request_id: randomUUID(), kind: 'beat', trigger: 'takeover', client_id: 'a' },
  participant: `customer-${randomUUID()}`,
};

/** A control plane with the test's answers. */
async function served(answer: (request: IncomingMessage, reply: ServerResponse) => void, silenceMs = 10_000) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  const options = { url: `http://127.0.0.1:${address.port}`, credential: 'a credential' };
  const line = openControlLine({ ...options, logger: pino({ level: 'silent' }), silenceMs });
  const told: (RoomState | undefined)[] = [];
  const following = line.follow(id, (state) => told.push(state));
  const close = async () => {
    following.close();
    await line.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { line, told, close };
}

describe('the control line of a node', () => {
  it('gives up a request at its own timeout if no connection can be established', async () => {
    const [url, close] = await startSilentHost();
    const line = openControlLine({ url, credential: 'a', logger: pino({ level: 'silent' }), askMs: 100 });
    const startedAt = performance.now();
    expect(String(await line.ask(id, request).catch((error: unknown) => error))).to.include('TimeoutError');
    expect(performance.now() - startedAt).to.be.lessThan(5_000);
    await line.close();
    await close();
  });
  it('passes on each state, and ignores lines that report no change', async () => {
    const { told, close } = await served((_request, reply) => {
      for (const state of [stateOf(), null, stateOf({ epoch: 2 })])
        reply.write(`${JSON.stringify({ state })}\n`);
    });
    await until(async () => told.length >= 2);
    expect(told.slice(0, 2)).to.deep.equal([stateOf(), stateOf({ epoch: 2 })]);
    await close();
  });
  it('reports the state as unknown and reconnects when the control plane is silent, disconnects or refuses', async () => {
    let calls = 0;
    const { told, close } = await served((_request, reply) => {
      calls += 1;
      if (calls === 1) reply.write(`${JSON.stringify({ state: stateOf({ epoch: 1 }) })}\n`);
      else if (calls === 2) reply.writeHead(503).end();
      else if (calls === 3) reply.end('no line of anybody’s\n');
      else reply.write(`${JSON.stringify({ state: stateOf({ epoch: 4 }) })}\n`);
    }, 1_000);
    await until(async () => told.some((state) => state?.epoch === 4));
    const known = told.slice(0, 5).map((state) => state?.epoch);
    expect(known).to.deep.equal([1, undefined, undefined, undefined, 4]);
    await close();
  });
  it('ends all that it follows once it is closed', async () => {
    let ended = 0;
    const { line, told, close } = await served((_request, reply) => {
      reply.once('close', () => (ended += 1));
      reply.write(`${JSON.stringify({ state: stateOf() })}\n`);
    });
    await until(async () => told.length === 1);
    await line.close();
    await until(async () => ended === 1);
    // The end of the answer takes a few turns to arrive.
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    expect(told).to.deep.equal([stateOf()]);
    await close();
  });
  it('sends a request for a participant, and returns the slug of a refusal', async () => {
    const seen: string[] = [];
    const { line, close } = await served((asked, reply) => {
      if (asked.method !== 'POST') return void reply.writeHead(404).end();
      seen.push(`${asked.url} ${asked.headers.authorization}`);
      asked.resume().on('end', () => reply.end(JSON.stringify({ refused: 'pair-mode-conflict' })));
    });
    expect(await line.ask(id, request)).to.equal('pair-mode-conflict');
    expect(seen).to.deep.equal([`/internal/fleet/rooms/${id} Bearer a credential`]);
    await close();
  });
  it('refuses a request about a browser that is no longer on this node', async () => {
    const { line, close } = await served((asked, reply) => {
      asked.resume();
      reply.writeHead(404).end();
    });
    expect(await line.ask(id, request)).to.equal('not-found');
    await close();
  });
});
