import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect } from 'chai';
import { routes, type Route } from '../../contracts/routes/index.ts';
import { errorsBase } from '../http/testing.ts';
import { until } from '../verification/testbed/index.ts';
import { closeGateways, startGateway } from './testing.ts';

after(closeGateways);

describe('The gateway', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  before(async () => {
    gateway = await startGateway();
  });
  beforeEach(() => void gateway.seen.splice(0));
  after(() => gateway.close());

  it('sends each route of the table to its side, and everything unknown to the read side', async () => {
    for (const route of routes) {
      await gateway.call(`${route.method} ${route.path.replace('{id}', 'ses_1')}?x=1`);
      expect(gateway.seen.at(-1)?.side, route.id).to.equal(route.side);
    }
    const heads = {
      '/v1/agent-sessions/agt_1/recipe-suggestion': 'write',
      '/v1/sessions/ses_1': 'read',
      '/v1/sessions/ses_1/state': 'read',
    };
    for (const [path, side] of Object.entries(heads)) {
      await gateway.call(`HEAD ${path}`);
      expect(gateway.seen.at(-1)?.side, path).to.equal(side);
    }
    for (const target of [
      'GET /openapi.json',
      'GET /reference',
      'GET /nothing',
      'PUT /v1/sessions',
      'TRACE /v1/sessions',
    ]) {
      await gateway.call(target);
      expect(gateway.seen.at(-1)?.side, target).to.equal('read');
    }
  });

  it('passes method, target, body and answer through unchanged', async () => {
    const { status, headers, text } = await gateway.call('POST /v1/sessions?a=%2F&b', { body: '{"a": 1}' });
    expect(gateway.seen[0]).to.include({ method: 'POST', url: '/v1/sessions?a=%2F&b', body: '{"a": 1}' });
    expect(gateway.seen[0]?.headers).to.include({ 'content-length': '8', authorization: 'Bearer good' });
    expect([status, text, headers['x-side'], headers['set-cookie']]).to.deep.equal([
      200,
      '{"side":"write"}',
      'write',
      'a=1,b=2',
    ]);
  });

  it('gives each request an id, or passes on its own', async () => {
    await gateway.call('GET /v1/sessions', { headers: { 'X-Request-Id': 'my-request-1' } });
    await gateway.call('GET /v1/sessions', { headers: { 'X-Request-Id': '!' } });
    const [kept, made] = gateway.seen.map(({ headers }) => headers['x-request-id']);
    expect(kept).to.equal('my-request-1');
    expect(made).to.match(/^req_/);
  });

  it("forwards the caller's address and ignores a forged chain", async () => {
    await gateway.call('GET /v1/sessions', { headers: { 'X-Forwarded-For': '203.0.113.9' } });
    expect(gateway.seen[0]?.headers['x-forwarded-for']).to.equal('127.0.0.1');
    const behind = await startGateway({ trustForwarded: true });
    for (const chain of ['203.0.113.9', 'made up, 198.51.100.1, 203.0.113.9', '2001:db8::9', 'unknown']) {
      await behind.call('GET /v1/sessions', { headers: { 'X-Forwarded-For': chain } });
    }
    expect(behind.seen.map(({ headers }) => headers['x-forwarded-for'])).to.deep.equal([
      '203.0.113.9',
      '203.0.113.9',
      '2001:db8::9',
      '127.0.0.1',
    ]);
    await behind.close();
  });

  it('does not forward hop-by-hop headers', async () => {
    const headers = {
      Connection: 'close, X-Hop',
      'X-Hop': '1',
      TE: 'trailers',
      'Proxy-Authorization': 'Basic x',
      'X-End': '1',
    };
    await gateway.call('GET /v1/sessions', { headers });
    expect(gateway.seen[0]?.headers).to.include({ 'x-end': '1' });
    expect(gateway.seen[0]?.headers).not.to.have.any.keys('x-hop', 'te', 'proxy-authorization');
    await gateway.call('GET /v1/sessions', { headers: { ...headers, Connection: 'X-End' } });
    expect(gateway.seen[1]?.headers).to.include({ 'x-hop': '1' }).and.not.to.have.any.keys('x-end', 'te');
  });

  it('does not forward a client’s trace headers', async () => {
    const headers = {
      Traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      Tracestate: 'x=1',
      Baggage: 'y=2',
    };
    await gateway.call('GET /v1/sessions', { headers });
    expect(gateway.seen[0]?.headers).not.to.have.any.keys('traceparent', 'tracestate', 'baggage');
  });

  it('counts answers by side and status, including its own', async () => {
    const answered: string[] = [];
    const counting = await startGateway({ onAnswered: (side, status) => answered.push(`${side} ${status}`) });
    await counting.call('GET /v1/sessions');
    await counting.write.close();
    expect((await counting.call('POST /v1/sessions')).status).to.equal(503);
    expect(answered).to.deep.equal(['read 200', 'write 503']);
    await counting.close();
  });

  it('counts input that is refused as always apart from failures, of its route and of others', async () => {
    const answered: string[] = [];
    let headers = {};
    const counting = await startGateway(
      { onAnswered: (side, status) => answered.push(`${side} ${status}`) },
      (_request, response) => response.writeHead(503, headers).end(),
    );
    const input = 'POST /v1/agent-sessions/agt_1/input-event';
    await counting.call(input);
    await counting.call('POST /v1/sessions');
    headers = { 'retry-after': '2' };
    await counting.call(input);
    await counting.write.close();
    await counting.call(input);
    expect(answered).to.deep.equal(['write heartbeat', 'write 503', 'write 503', 'write 503']);
    await counting.close();
  });

  it('refuses requests that two servers could read differently', async () => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(
      'POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/x HTTP/1.1\r\n\r\n',
    );
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(String(first)).to.match(/^HTTP\/1\.1 400 /);
    expect(gateway.seen).to.have.length(0);
  });

  it('reuses its connections to the upstreams', async () => {
    const sockets = new Set<unknown>();
    const counting = await startGateway({}, (request, response) => {
      sockets.add(request.socket.remotePort);
      response.end();
    });
    for (let count = 0; count < 5; count += 1) await counting.call('GET /v1/sessions');
    expect(sockets.size).to.equal(1);
    await counting.close();
  });

  it('streams answers without buffering them', async () => {
    let finish = () => {};
    const streaming = await startGateway({}, (_request, response) => {
      response.write('first');
      finish = () => response.end();
    });
    const response = await fetch(`http://127.0.0.1:${streaming.port}/v1/sessions`);
    const reader = response.body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? '').toString()).to.equal('first');
    finish();
    expect((await reader?.read())?.done).to.equal(true);
    await streaming.close();
  });

  it('leaves seven eighths of the connections to an upstream to other addresses', async () => {
    const held: ServerResponse[] = [];
    const shared = await startGateway({ connections: 16, trustForwarded: true }, ({ url }, response) => {
      if (url === '/v1/sessions/held') held.push(response);
      else response.end('{}');
    });
    const from = (address: string, path: string) =>
      shared.call(`GET /v1/sessions${path}`, { headers: { 'X-Forwarded-For': address } });
    const calls = Array.from({ length: 5 }, () => from('203.0.113.1', '/held'));
    await until(() => held.length === 2);
    expect((await from('203.0.113.2', '')).status).to.equal(200);
    expect(held).to.have.length(2);
    for (let left = calls.length; left > 0; left -= 1) {
      await until(() => held.length > 0);
      held.shift()?.end('{}');
    }
    expect((await Promise.all(calls)).map(({ status }) => status)).to.deep.equal(Array(5).fill(200));
    await shared.close();
  });

  it('aborts the upstream request when the caller disconnects', async () => {
    let left = false;
    const waiting = await startGateway(
      {},
      (_request, response) => void response.once('close', () => (left = true)),
    );
    const caller = new AbortController();
    const call = fetch(`http://127.0.0.1:${waiting.port}/v1/sessions`, { signal: caller.signal }).catch(
      () => 'left',
    );
    await until(() => waiting.seen.length === 1);
    caller.abort();
    expect(await call).to.equal('left');
    await until(() => left);
    await waiting.close();
  });

  it('sends a request on when it is its turn to be answered, and aborts it when its connection closes', async () => {
    let left = 0;
    const waiting = await startGateway({}, (_request, response) => {
      response.once('close', () => (left += 1));
      response.write('x'.repeat(1_000_000));
    });
    const socket = connect(waiting.port, '127.0.0.1');
    socket.write('GET /v1/sessions HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    await until(() => waiting.seen.length > 0);
    socket.destroy();
    await until(() => left === 1);
    expect(waiting.seen).to.have.length(1);
    await waiting.close();
  });
});

describe('A gateway whose upstream fails', () => {
  const unavailable = { status: 503, type: `${errorsBase}/feature-unavailable`, retry_after_seconds: 1 };

  it('answers 503 with Retry-After, and serves the other side', async () => {
    const gateway = await startGateway();
    await gateway.write.close();
    const { headers, json } = await gateway.call('POST /v1/sessions', { body: {} });
    expect(json).to.include(unavailable);
    expect(headers).to.include({ 'retry-after': '1', 'content-type': 'application/problem+json' });
    expect(headers['x-request-id']).to.equal(json.instance);
    expect((await gateway.call('GET /v1/sessions')).status).to.equal(200);
    await gateway.close();
  });

  it('sends a write once, whatever the outcome', async () => {
    const gateway = await startGateway(
      {},
      (request) => void request.once('end', () => request.socket.destroy()),
    );
    const { json } = await gateway.call('POST /v1/sessions', { body: {} });
    expect(json).to.include(unavailable);
    expect(gateway.seen).to.have.length(1);
    await gateway.close();
  });

  it('times out on an upstream that does not answer', async () => {
    const gateway = await startGateway({ answerTimeoutMs: 50 }, () => undefined);
    expect((await gateway.call('POST /v1/sessions', { body: {} })).json).to.include(unavailable);
    await gateway.close();
  });

  it('has a longer timeout for routes that take minutes', async () => {
    let asked = 0;
    const gateway = await startGateway({ answerTimeoutMs: 50 }, (request, response) => {
      asked += 1;
      // Undici checks its timeouts about twice a second.
      request.resume();
      setTimeout(() => response.end('{}'), 2_000);
    });
    const slow = (routes as readonly Route[]).filter(({ lasts }) => lasts !== undefined);
    const answers = await Promise.all(
      slow.map(({ method, path }) => gateway.call(`${method} ${path.replace('{id}', 'agt_1')}`)),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(slow.map(() => 200));
    expect(asked).to.be.greaterThan(0);
    await gateway.close();
  });

  it('times out on routes that take minutes after that longer timeout', async () => {
    const gateway = await startGateway({ longAnswerTimeoutMs: 50 }, () => undefined);
    expect((await gateway.call('GET /v1/agent-sessions/agt_1/transcript')).json).to.include(unavailable);
    await gateway.close();
  });

  it('breaks the connection when the answer is cut off, so that a partial answer is not mistaken for a complete one', async () => {
    const gateway = await startGateway({}, (_request, response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('half', () => response.destroy());
    });
    const outcome = await gateway.call('GET /v1/sessions').then(
      () => 'whole',
      () => 'broken',
    );
    expect(outcome).to.equal('broken');
    await gateway.close();
  });

  it("passes on an upstream's early refusal of a long body", async () => {
    const gateway = await startGateway({}, (_request, response) => void response.writeHead(401).end('no'));
    const { status } = await gateway.call('POST /v1/sessions', { body: 'x'.repeat(5_000_000) });
    expect(status).to.equal(401);
    await gateway.close();
  });
});
