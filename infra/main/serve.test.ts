import type { RequestListener, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { pino } from 'pino';
import { createGateway } from '../gateway/index.ts';
import { caller, errorsBase } from '../http/testing.ts';
import { listen } from '../http/index.ts';
import { createHealth, createMetrics } from '../metrics/index.ts';
import { until } from '../verification/testbed/index.ts';
import { peerCheck } from './composition/peers.ts';
import { serve } from './serve.ts';

describe('the base address', () => {
  const seen: (string | undefined)[] = [];
  const upstream: RequestListener = (request, response) => {
    seen.push(request.url);
    response.end();
  };

  /** Two upstreams that are always ready, behind a gateway served as its role serves it. */
  async function start() {
    const [write, read] = await Promise.all([listen(upstream, 0), listen(upstream, 0)]);
    const [writeUrl, readUrl] = [write, read].map(({ port }) => `http://127.0.0.1:${port}`) as [
      string,
      string,
    ];
    const gateway = createGateway({ writeUrl, readUrl, errorsBase, logger: pino({ level: 'silent' }) });
    const checks = { write: peerCheck(writeUrl), read: peerCheck(readUrl) };
    const health = createHealth({ role: 'gateway', checks, metrics: createMetrics('gateway'), errorsBase });
    const served = await serve({ host: '127.0.0.1', port: 0, errorsBase, health, app: gateway.listener });
    const close = async () => {
      await served.close();
      await gateway.close();
      await Promise.all([write.close(), read.close()]);
    };
    return { call: caller(served.port), write, close };
  }

  it('is healthy while it runs, and ready while both APIs are ready', async () => {
    const { call, write, close } = await start();
    expect((await call('GET /healthz')).status).to.equal(200);
    expect((await call('GET /readyz')).status).to.equal(200);
    await write.close();
    const unready = await call('GET /readyz');
    expect(unready.status).to.equal(503);
    expect(unready.json.failing).to.have.all.keys('write');
    expect((await call('GET /healthz')).status).to.equal(200);
    await close();
  });

  it('answers requests for its health with a request id, like all others, and HEAD too', async () => {
    const { call, close } = await start();
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await call(`GET ${path}`)).headers['x-request-id'], path).to.match(/^req_/);
      const head = await call(`HEAD ${path}`, { headers: { 'X-Request-Id': 'my-request-1' } });
      expect([head.status, head.text, head.headers['x-request-id']]).to.deep.equal([200, '', 'my-request-1']);
    }
    await close();
  });

  it('ends an endless answer before it waits for the others', async () => {
    const health = createHealth({
      role: 'read-api',
      checks: {},
      metrics: createMetrics('read-api'),
      errorsBase,
    });
    const open: ServerResponse[] = [];
    const { port, close } = await serve({
      ...{ host: '127.0.0.1', port: 0, errorsBase, health },
      app: (_request, response) => void open.push(response),
      drain: () => open.forEach((response) => response.end('the end')),
    });
    const answer = caller(port)('GET /stream');
    await until(() => open.length === 1);
    const startedAt = performance.now();
    await close();
    expect((await answer).text).to.equal('the end');
    expect(performance.now() - startedAt).to.be.lessThan(5_000);
  });

  it('gives requests in flight, and those whose clients have left, the same limit to finish', async () => {
    const health = createHealth({ role: 'a role', checks: {}, metrics: createMetrics('a role'), errorsBase });
    let asked = 0;
    const { port, close } = await serve({
      ...{
        host: '127.0.0.1',
        port: 0,
        errorsBase,
        health,
        closeMs: 50,
        idle: () => new Promise(() => undefined),
      },
      app: () => (asked += 1),
    });
    const answer = caller(port)('GET /').then(
      () => 'answered',
      () => 'cut',
    );
    await until(() => asked === 1);
    const startedAt = performance.now();
    await close();
    expect(performance.now() - startedAt).to.be.within(49, 5_000);
    expect(await answer).to.equal('cut');
  });

  it('is unready for as long as others need to notice, still serves requests, and closes each connection', async () => {
    const health = createHealth({ role: 'a role', checks: {}, metrics: createMetrics('a role'), errorsBase });
    const { port, close } = await serve({
      ...{ host: '127.0.0.1', port: 0, errorsBase, health, noticeMs: 300 },
      app: (_request, response) => void response.end('served'),
    });
    const call = caller(port);
    const connectionOf = async (path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).headers.get('connection');
    expect(await connectionOf('/anything')).to.equal('keep-alive');
    const closing = close();
    expect((await call('GET /readyz')).status).to.equal(503);
    for (const path of ['/anything', '/readyz']) expect(await connectionOf(path), path).to.equal('close');
    await closing;
    const refused: unknown = await call('GET /anything').catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Error);
  });

  it('is ready behind a balancer although one of two processes that it was connected to is leaving', async () => {
    const ready = [true, true];
    const connections: unknown[] = [];
    const peer: RequestListener = ({ socket }, response) => {
      if (!connections.includes(socket)) connections.push(socket);
      const isReady = ready[connections.indexOf(socket) % 2] === true;
      if (!isReady) response.setHeader('Connection', 'close');
      response.writeHead(isReady ? 200 : 503).end();
    };
    const { port, close } = await listen(peer, 0);
    const check = peerCheck(`http://127.0.0.1:${port}`);
    await check();
    ready[0] = false;
    await check();
    ready[1] = false;
    expect(await check().catch(String)).to.include('503');
    await close();
  });

  it('answers with a problem where a role serves nothing', async () => {
    const health = createHealth({ role: 'worker', checks: {}, metrics: createMetrics('worker'), errorsBase });
    const { port, close } = await serve({ host: '127.0.0.1', port: 0, errorsBase, health });
    const { status, json, headers } = await caller(port)('GET /nothing');
    expect([status, json.type]).to.deep.equal([404, `${errorsBase}/not-found`]);
    expect(headers['x-request-id']).to.equal(json.instance);
    await close();
  });

  it('shows its own metrics, and never those of an upstream', async () => {
    const { call, close } = await start();
    seen.length = 0;
    for (const path of ['/metrics', '/metrics?x=1']) {
      const { status, text } = await call(`GET ${path}`);
      expect(status).to.equal(200);
      expect(text).to.contain('service_nodejs');
      const behindProxy = await call(`GET ${path}`, { headers: { 'X-Forwarded-For': '127.0.0.1' } });
      expect([behindProxy.status, behindProxy.json.type]).to.deep.equal([401, `${errorsBase}/unauthorized`]);
    }
    expect(seen).to.deep.equal([]);
    await close();
  });
});
