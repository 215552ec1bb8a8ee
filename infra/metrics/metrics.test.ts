import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { createHealth, createMetrics, type Check } from './index.ts';

describe('health and metrics of a role', () => {
  const servers: Server[] = [];
  const token = 'a-token-of-at-least-thirty-two-characters';

  async function serve(checks: Record<string, Check>, degradations: Record<string, Check> = {}) {
    const metrics = createMetrics('read-api', 50);
    const health = createHealth({
      ...{ role: 'read-api', checks, degradations, metrics, token },
      ...{ errorsBase: 'https://errors.example', checkLimitMs: 50 },
    });
    const server = createServer((request, response) => {
      if (!health.handle(request, response)) response.writeHead(404).end();
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      ...{ health, metrics },
      get: (path: string, headers: Record<string, string> = {}) =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers }),
    };
  }

  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  it('is up as soon as the process answers', async () => {
    const { get } = await serve({ postgres: () => Promise.reject(new Error('down')) });
    expect((await get('/healthz')).status).to.equal(200);
  });

  it('is ready when everything it needs answers, and says what does not', async () => {
    const { get } = await serve({
      store: () => Promise.resolve(),
      postgres: () => Promise.reject(new Error('down')),
    });
    const response = await get('/readyz');
    expect(response.status).to.equal(503);
    expect(await response.json()).to.deep.include({ failing: { postgres: 'down' } });
  });

  it('is ready and degraded while something fails that it serves without', async () => {
    const { get } = await serve({}, { signing: () => Promise.reject(new Error('stopped')) });
    const response = await get('/readyz');
    expect(response.status).to.equal(200);
    expect(await response.json()).to.deep.include({ status: 'ready', degraded: { signing: 'stopped' } });
    const ofStranger = await get('/readyz', { 'x-forwarded-for': '192.0.2.1' });
    expect(await ofStranger.json()).to.deep.equal({ status: 'ready' });
  });

  it('is not ready while a check does not return', async () => {
    const { get } = await serve({ store: () => new Promise(() => undefined) });
    expect(await (await get('/readyz')).json()).to.deep.include({
      failing: { store: 'no answer within 50 ms' },
    });
  });

  it('is not ready from the first moment of a shutdown', async () => {
    const { get, health } = await serve({});
    expect((await get('/readyz')).status).to.equal(200);
    health.drain();
    expect((await get('/readyz')).status).to.equal(503);
    expect((await get('/healthz')).status).to.equal(200);
  });

  it('shows a stranger whether it is ready, and nothing more', async () => {
    const { get, health } = await serve({ postgres: () => Promise.reject(new Error('down at 10.0.0.7')) });
    const stranger = { 'x-forwarded-for': '192.0.2.1' };
    const unready = await get('/readyz', stranger);
    expect([unready.status, await unready.json()]).to.deep.equal([503, { status: 'not ready' }]);
    const known = await get('/readyz', { ...stranger, authorization: `Bearer ${token}` });
    expect(await known.json()).to.deep.include({ failing: { postgres: 'down at 10.0.0.7' } });
    health.drain();
    expect(await (await get('/readyz', stranger)).json()).to.deep.equal({ status: 'not ready' });
    const { get: getReady } = await serve({});
    const ready = await getReady('/readyz', stranger);
    expect([ready.status, await ready.json()]).to.deep.equal([200, { status: 'ready' }]);
  });

  it('shows its metrics to callers on this machine and to those with the token, and tells others how to get it', async () => {
    const { get } = await serve({});
    const stranger = { 'x-forwarded-for': '192.0.2.1' };
    for (const headers of [stranger, { ...stranger, authorization: 'Bearer another' }]) {
      const refused = await get('/metrics', headers);
      expect([refused.status, refused.headers.get('content-type')]).to.deep.equal([
        401,
        'application/problem+json',
      ]);
      const problem = (await refused.json()) as Record<string, unknown>;
      expect(problem).to.include({ type: 'https://errors.example/unauthorized', status: 401 });
      expect(problem.detail).to.include('METRICS_TOKEN');
    }
    const shown = await get('/metrics', { ...stranger, authorization: `Bearer ${token}` });
    expect([shown.status, await shown.text()].join()).to.match(/^200,.*service_nodejs/s);
  });

  it('shows request durations by route and gauges read at the scrape', async () => {
    const { get, metrics } = await serve({});
    metrics.request('sessions.list', 'GET', 200, 12);
    metrics.gauge('service_sessions', 'Sessions by status', () => ({ ready: 2, busy: 1 }), 'status');
    metrics.gauge('service_parked_events', 'Parked', () => Promise.reject(new Error('down')));
    const page = await (await get('/metrics')).text();
    expect(page).to.match(/service_http_request_duration_seconds_count\{.*route="sessions.list".*\} 1/);
    expect(page).to.match(/service_sessions\{status="ready".*\} 2/);
    expect(page).to.contain('service_nodejs_eventloop_lag_p99_seconds');
    expect(page).not.to.match(/^service_parked_events\b/m);
  });

  it('leaves out a gauge whose reading does not come, and shows all else', async () => {
    const { get, metrics } = await serve({});
    metrics.gauge('service_sessions', 'Sessions', () => new Promise(() => undefined));
    metrics.gauge('service_mails_waiting', 'Mails', () => 2);
    const page = await (await get('/metrics')).text();
    expect(page).to.match(/^service_mails_waiting\{.*\} 2$/m);
    expect(page).not.to.match(/^service_sessions\b/m);
  });

  it('counts by several labels, and reads gauges with several', async () => {
    const { get, metrics } = await serve({});
    const attempts = metrics.counter('service_attempts_total', 'Attempts', 'outcome', 'error');
    attempts({ outcome: 'failed', error: 'timeout' });
    attempts({ outcome: 'failed', error: 'timeout' });
    const durations = metrics.durations('service_attempt_duration_seconds', 'Attempts', 'outcome');
    durations({ outcome: 'failed' }, 40);
    const depth = { deliveries: { waiting: 1, delayed: 7 }, mail: { waiting: 0 } };
    metrics.gauge('service_queue_jobs', 'Jobs', () => depth, 'queue', 'state');
    const page = await (await get('/metrics')).text();
    expect(page).to.match(/service_attempts_total\{outcome="failed",error="timeout",.*\} 2/);
    expect(page).to.match(/service_attempt_duration_seconds_bucket\{le="0.05",.*outcome="failed".*\} 1/);
    expect(page).to.match(/service_queue_jobs\{queue="deliveries",state="delayed".*\} 7/);
    expect(page).to.match(/service_queue_jobs\{queue="mail",state="waiting".*\} 0/);
  });
});
