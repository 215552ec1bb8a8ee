import { Agent, IncomingMessage, request as send, type RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { pino } from 'pino';
import { loadConfig } from '../../config/index.ts';
import { caller, errorsBase } from '../../http/testing.ts';
import { createHealth, createMetrics } from '../../metrics/index.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { createLifetime } from '../lifetime.ts';
import { serve } from '../serve.ts';
import { gateway } from './gateway.ts';
import { shedLoad } from './load-shedding.ts';
import type { ComposedRole } from './role.ts';
import { roleNames, type RoleName } from './table.ts';

const logger = pino({ level: 'silent' });
const config = loadConfig({
  ERRORS_BASE: errorsBase,
  WRITE_URL: 'http://127.0.0.1:1',
  READ_URL: 'http://127.0.0.1:1',
});

/** As the gateway sends it with a customer's request. */
const ofCustomer = { 'x-forwarded-for': '192.0.2.1' };

describe('a process whose event loop is overloaded', () => {
  let isOverloaded: boolean;
  let called: string[];
  let close: () => Promise<void>;

  const asked = ({ method, url }: IncomingMessage) => `${method} ${url}`;
  const app: RequestListener = (request, response) => {
    called.push(asked(request));
    response.end('done');
  };

  /** A process of the role with this app. */
  async function start(name: RoleName, changes: Partial<ComposedRole> = {}) {
    const [metrics, lifetime] = [createMetrics(name), createLifetime(logger)];
    const context = { name, config, logger, metrics, lifetime, clock };
    const loop = { isOverloaded: () => isOverloaded, close: () => undefined };
    const role = shedLoad(name, context, { app, checks: {}, ...changes }, () => loop);
    const health = createHealth({ role: name, checks: {}, metrics, errorsBase });
    const served = await serve({ host: '127.0.0.1', port: 0, errorsBase, health, ...role });
    close = async () => {
      await served.close();
      await lifetime.close();
    };
    const { port } = served;
    const countOf = async () =>
      Number(/^service_shed_requests_total\{.*\} (\d+)$/m.exec((await metrics.page()).text)?.[1]);
    return { port, call: caller(port), countOf };
  }

  beforeEach(() => {
    isOverloaded = true;
    called = [];
  });
  afterEach(() => close());

  it('refuses the requests of customers, and says when to send them again', async () => {
    const { call, countOf } = await start('write-api');
    expect(await countOf()).to.equal(0);
    const { status, headers, json } = await call('POST /v1/sessions', { body: {}, headers: ofCustomer });
    expect([status, json.type]).to.deep.equal([503, `${errorsBase}/feature-unavailable`]);
    expect([headers['retry-after'], json.retry_after_seconds]).to.deep.equal(['5', 5]);
    expect(headers['x-request-id']).to.equal(json.instance);
    expect([called, await countOf()]).to.deep.equal([[], 1]);
  });

  it('answers for its health, and the requests of nodes and other processes', async () => {
    const { call, countOf } = await start('write-api');
    for (const path of ['/healthz', '/readyz', '/metrics', '/v1/archetypes'])
      expect((await call(`GET ${path}`)).status, path).to.equal(200);
    expect((await call('GET /internal/fleet/heartbeat', { headers: ofCustomer })).status).to.equal(200);
    const served = ['GET /v1/archetypes', 'GET /internal/fleet/heartbeat'];
    expect([called, await countOf()]).to.deep.equal([served, 0]);
  });

  it('refuses at the gateway every path, since only customers reach it, and reports each refusal', async () => {
    const refused: string[] = [];
    const { call } = await start('gateway', { onShed: (request) => refused.push(asked(request)) });
    for (const path of ['/v1/sessions', '/internal/fleet/heartbeat'])
      expect((await call(`GET ${path}`)).status, path).to.equal(503);
    expect([called, refused]).to.deep.equal([[], ['GET /v1/sessions', 'GET /internal/fleet/heartbeat']]);
  });

  it('keeps the connection of a refused request, whatever is left of its body, and serves it afterwards', async () => {
    const { port } = await start('write-api');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const connections = new Set<number | undefined>();
    const ask = (body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const order = { port, agent, method: 'POST', path: '/v1/sessions', headers: ofCustomer };
        const sent = send(order, (response) => {
          connections.add(response.socket.localPort);
          response.resume().once('end', () => resolve(response.statusCode));
        });
        sent.once('error', reject).end(body);
      });
    expect(await ask('x'.repeat(4 * 1024 * 1024))).to.equal(503);
    isOverloaded = false;
    expect(await ask('x')).to.equal(200);
    expect([called, connections.size]).to.deep.equal([['POST /v1/sessions'], 1]);
    agent.destroy();
  });

  it('refuses the WebSockets of customers, and takes those of nodes', async () => {
    const { port } = await start('write-api', {
      upgrade: (request, socket) => {
        called.push(`upgrade ${request.url}`);
        socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
        return true;
      },
    });
    const statusOf = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { ...ofCustomer, Connection: 'Upgrade', Upgrade: 'websocket' };
        const offered = send({ port, path, headers, agent: false }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode));
        });
        offered.once('upgrade', ({ statusCode }, socket) => {
          socket.destroy();
          resolve(statusCode);
        });
        offered.once('error', reject).end();
      });
    expect(await statusOf('/v1/live')).to.equal(503);
    expect(await statusOf('/internal/fleet/tunnel')).to.equal(101);
    expect(called).to.deep.equal(['upgrade /internal/fleet/tunnel']);
  });

  it('refuses nothing where customers wait for no answer', async () => {
    for (const name of roleNames) {
      const { call } = await start(name);
      const refuses = ['gateway', 'read-api', 'write-api'].includes(name);
      const { status } = await call('GET /v1/sessions', { headers: ofCustomer });
      expect(status, name).to.equal(refuses ? 503 : 200);
      await close();
    }
  });
});

describe('a request that an overloaded gateway refuses', () => {
  it('is counted as an answer of its side of the API, as the objective of availability requires, and not if it is for no API', async () => {
    const [metrics, lifetime] = [createMetrics('gateway'), createLifetime(logger)];
    const { onShed } = await gateway({ name: 'gateway', config, logger, lifetime, metrics, clock });
    for (const [method, url] of [
      ['POST', '/v1/sessions?a=b'],
      ['GET', '/console/'],
    ])
      onShed?.(Object.assign(new IncomingMessage(new Socket()), { method, url }));
    const { text } = await metrics.page();
    for (const [side, count] of [
      ['write', 1],
      ['read', 0],
    ])
      expect(text).to.include(
        `service_gateway_requests_total{side="${side}",status="503",role="gateway"} ${count}\n`,
      );
    await lifetime.close();
  });
});
