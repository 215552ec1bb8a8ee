import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import pino from 'pino';
import { listen } from '../http/index.ts';
import { until } from '../verification/testbed/index.ts';
import { createGateway } from './index.ts';

/** An upstream that answers with the status, until its behaviour is changed. */
async function startUpstream() {
  let answer: 'status' | 'error' | 'silence' = 'status';
  let asked = 0;
  let state = 'first';
  const server: Server = createServer((_request, response) => {
    asked += 1;
    if (answer === 'silence') return;
    response.writeHead(answer === 'status' ? 200 : 500, { 'content-type': 'application/json', age: '3' });
    response.end(JSON.stringify({ state }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const errorsBase = 'https://errors.example';
  const gateway = createGateway({
    readUrl: url,
    writeUrl: url,
    errorsBase,
    logger: pino({ level: 'silent' }),
  });
  const front = await listen(gateway.listener, 0);
  return {
    asked: () => asked,
    now: (next: typeof answer) => void (answer = next),
    changeTo: (next: string) => void (state = next),
    get: async (query = '') => {
      const response = await fetch(`http://127.0.0.1:${front.port}/v1/status${query}`);
      const { status, headers } = response;
      return { status, headers, state: ((await response.json()) as { state?: string }).state };
    },
    close: async () => {
      await front.close();
      server.closeAllConnections();
      server.close();
      await gateway.close();
    },
  };
}

describe('the status at the gateway', () => {
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  beforeEach(async () => {
    upstream = await startUpstream();
  });
  afterEach(() => upstream.close());

  it('is forwarded to the read side with as_of, which it refuses', async () => {
    await upstream.get();
    upstream.now('error');
    expect((await upstream.get('?as_of=1%2F1')).status).to.equal(500);
    expect((await upstream.get('?other=1')).status).to.equal(200);
  });

  it('is the read side’s answer, with a new request id for each request', async () => {
    const [one, other] = [await upstream.get(), await upstream.get()];
    expect([one.status, one.state, one.headers.get('content-type')]).to.deep.equal([
      200,
      'first',
      'application/json',
    ]);
    expect(one.headers.get('x-request-id')).not.to.equal(other.headers.get('x-request-id'));
  });

  it('is fetched from upstream a few times a second, regardless of the number of clients', async () => {
    await Promise.all(Array.from({ length: 50 }, () => upstream.get()));
    expect(upstream.asked()).to.be.below(25);
  });

  it('changes with the upstream', async () => {
    await upstream.get();
    upstream.changeTo('second');
    await until(async () => (await upstream.get()).state === 'second');
  });

  for (const fault of ['error', 'silence'] as const) {
    it(`is the last known one after an upstream's ${fault}, with a growing age`, async () => {
      await upstream.get();
      upstream.now(fault);
      upstream.changeTo('second');
      await until(async () => Number((await upstream.get()).headers.get('age')) >= 5, { limitMs: 5_000 });
      const { status, state } = await upstream.get();
      expect([status, state]).to.deep.equal([200, 'first']);
      upstream.now('status');
      await until(async () => (await upstream.get()).state === 'second', { limitMs: 5_000 });
    });
  }

  it('is a 503 if it was never fetched', async () => {
    upstream.now('error');
    expect((await upstream.get()).status).to.equal(503);
  });
});
