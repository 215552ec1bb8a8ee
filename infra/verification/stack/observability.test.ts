import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { boards } from '../../deploy/observability/panels.ts';
import { groups } from '../../deploy/observability/rules.ts';
import { readStack } from '../../main/supervisor/stack-file.ts';
import {
  answerWith,
  startOtlpReceiver,
  startReceivers,
  startSmtpServer,
  startStack,
  until,
  type OtlpReceiver,
  type ReceivedSpan,
  type TestReceivers,
  type TestSmtpServer,
  type TestStack,
} from '../testbed/index.ts';

/** Texts that clients send, and that must not be in any span. */
const canaries = {
  typed: 'canary-typed-7c1e',
  label: 'canary-label-55aa',
  address: 'canary-person-1b2c@example.com',
  password: 'canary-password-93be-long',
  path: 'canary-path-e41d',
  traced: 'canary-state-0d9c',
};

describe('the observability of a whole stack: traces', function () {
  this.timeout(180_000);
  let collector: OtlpReceiver;
  let receivers: TestReceivers;
  let smtp: TestSmtpServer;
  let stack: TestStack;
  let token: string;
  let accountId: string;
  /** Request ids by `METHOD /path`. */
  const requestIds = new Map<string, string>();

  before(async () => {
    [collector, receivers, smtp] = await Promise.all([
      startOtlpReceiver(),
      startReceivers({ good: answerWith(200) }),
      startSmtpServer(),
    ]);
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=collector-key',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OUTBOUND_ALLOW: '127.0.0.0/8',
      FREE_SESSION_LIMIT: '1s',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'service@example.com',
    };
    stack = await startStack({ env, limitMs: 120_000 });
    ({ api_key: token, account_id: accountId } = await stack.account('api_scale'));
    await beACustomer();
  });
  after(async () => {
    await stack.stop();
    await Promise.all([collector.close(), receivers.close(), smtp.close()]);
  });

  const call = async (target: string, body?: unknown, key: string | null = token) => {
    const [method = '', path = ''] = target.split(' ');
    const answer = await fetch(`${stack.baseUrl}${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        // A client's trace context must be ignored.
        traceparent: `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`,
        tracestate: `vendor=${canaries.traced}`,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    requestIds.set(target, answer.headers.get('x-request-id') ?? '');
    const text = await answer.text();
    expect(answer.status, text).to.be.lessThan(300);
    return (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>>;
  };

  async function beACustomer(): Promise<void> {
    await call('POST /v1/webhooks', {
      url: receivers.url('good', canaries.path),
      events: ['session.completed'],
    });
    const { id } = await call('POST /v1/sessions', { label: canaries.label });
    const session = `/v1/sessions/${String(id)}`;
    await call(`POST ${session}/navigate`, { url: 'http://sim.test/form' });
    const action = { kind: 'type', selector: '#name', text: canaries.typed };
    await call(`POST ${session}/interact`, { action });
    await call('GET /v1/sessions');
    await call(`DELETE ${session}`);
    const person = { email: canaries.address, password: canaries.password, legal_revision: '1' };
    await call('POST /v1/auth/signup', person, null);
    const free = await stack.account('free');
    await call('POST /v1/sessions', {}, free.api_key);
  }

  type Like = Partial<Pick<ReceivedSpan, 'name' | 'role' | 'kind' | 'traceId'>>;
  const all = (like: Like): readonly ReceivedSpan[] =>
    collector.spans.filter((span) =>
      Object.entries(like).every(([field, value]) => span[field as keyof Like] === value),
    );
  const one = (like: Like): Promise<ReceivedSpan> => until(() => all(like)[0]);
  const linked = (from: ReceivedSpan | undefined, to: ReceivedSpan): boolean =>
    from?.links.some(({ traceId }) => traceId === to.traceId) ?? false;
  /**
   * True if linked to it, directly or through other traces: a reaction may create a sign-up's login before the request
   * does.
   */
  const leadsTo = (from: ReceivedSpan, to: ReceivedSpan): boolean =>
    linked(from, to) ||
    from.links.some(({ traceId }) => all({ traceId }).some((cause) => leadsTo(cause, to)));
  /** A trace linked to the request, by the name of its first span. */
  const following = (name: string, request: ReceivedSpan): Promise<ReceivedSpan> =>
    until(() => all({ name }).find((span) => linked(span, request)));

  it('are one for a request, over gateway, API, append, node and browser', async () => {
    const client = await one({ name: 'browser create' });
    const within = async (like: Like) => one({ ...like, traceId: client.traceId });
    const path = [
      await within({ role: 'gateway', kind: 'server', name: 'POST /v1/sessions' }),
      await within({ role: 'gateway', kind: 'client', name: 'POST' }),
      await within({ role: 'write-api', kind: 'server', name: 'POST /v1/sessions' }),
      await within({ role: 'write-api', kind: 'client', name: 'POST /sessions' }),
      await within({ role: 'node', kind: 'server', name: 'POST /sessions' }),
      client,
    ];
    path.forEach((span, index) => expect(span.parentId, span.name).to.equal(path[index - 1]?.spanId));
    const api = path[2];
    const append = await within({ name: 'append session' });
    expect([append.parentId, append.attributes]).to.deep.equal([
      api?.spanId,
      {
        'db.system.name': 'eventstoredb',
        'db.operation.name': 'append',
        'db.collection.name': 'session',
        'db.operation.batch.size': 1,
      },
    ]);
    expect(api?.attributes).to.deep.equal({
      'http.request.method': 'POST',
      'http.route': '/v1/sessions',
      'http.response.status_code': 201,
    });
    expect(client.traceId).not.to.equal('ab'.repeat(16));
    expect(await one({ name: 'browser interact', role: 'node' })).to.have.property('hasFailed', false);
    expect(await one({ role: 'read-api', name: 'GET /v1/sessions' })).to.include({ kind: 'server' });
  });

  it('link, and do not belong, to the request that they follow from: projections and a delivery', async () => {
    const destroyed = await one({ role: 'write-api', name: 'DELETE /v1/sessions/{id}' });
    const delivery = await following('deliver webhook', destroyed);
    const projected = await following('process projections', destroyed);
    expect(projected).to.include({ role: 'projector', kind: 'consumer', parentId: undefined });
    expect(delivery).to.include({ role: 'worker', kind: 'consumer', parentId: undefined });
    const post = await one({ name: 'POST', traceId: delivery.traceId });
    expect([post.kind, post.parentId, post.attributes]).to.deep.equal([
      'client',
      delivery.spanId,
      {
        'http.request.method': 'POST',
        'server.address': '127.0.0.1',
        'http.response.status_code': 200,
      },
    ]);
    expect(await one({ name: 'append webhook_delivery', traceId: delivery.traceId })).to.include({
      role: 'worker',
    });
    const { traceId } = destroyed;
    expect(new Set(all({ traceId }).map(({ role }) => role))).to.deep.equal(
      new Set(['gateway', 'write-api', 'node']),
    );
  });

  it('link a mail and a timer to the requests that they follow from', async () => {
    const asked = await one({ role: 'write-api', name: 'POST /v1/auth/signup' });
    // A mail is queued by a reaction, whose trace is linked to the request's.
    const mail = await until(() =>
      all({ name: 'deliver mail' }).find(({ links }) => {
        const queued = collector.spans.find(({ spanId }) => spanId === links[0]?.spanId);
        return queued?.role === 'processes' && leadsTo(queued, asked);
      }),
    );
    const sent = await one({ name: 'send mail', traceId: mail.traceId });
    expect(sent).to.include({ parentId: mail.spanId, role: 'worker' });
    const capped = await one({ name: 'timer duration_cap' });
    const set = collector.spans.find(({ spanId }) => spanId === capped.links[0]?.spanId);
    expect(set).to.include({ role: 'write-api', name: 'POST /v1/sessions' });
  });

  it('are named by the events that are made in them', async () => {
    const created = await one({ role: 'write-api', name: 'POST /v1/sessions' });
    const { stdout } = await stack.service('events', 'export', '--category', 'session');
    const madeIn = stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { type: string; metadata: { traceparent?: string } })
      .filter(({ type }) => type === 'SessionRequested')
      .map(({ metadata }) => metadata.traceparent);
    expect(madeIn).to.include(`00-${created.traceId}-${created.spanId}-01`);
    expect(madeIn).not.to.include(undefined);
  });

  it('are in the one line of each request, with its id and its account', async () => {
    const created = await one({ role: 'write-api', name: 'POST /v1/sessions' });
    const lines = readFileSync(join(stack.dataDir, 'logs', 'write-api.log'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
      .filter(({ msg }) => msg === 'Answered.');
    const own = lines.filter(({ trace_id }) => trace_id === created.traceId);
    expect(own).to.have.length(1);
    expect(own[0]).to.deep.include({
      ...{ level: 'info', role: 'write-api', account_id: accountId, route: 'sessions.create' },
      ...{ method: 'POST', status: 201 },
    });
    expect(
      lines.filter(({ request_id }) => request_id === requestIds.get('POST /v1/webhooks')),
    ).to.have.length(1);
  });

  it('contain nothing that a client sent, and no key', () => {
    const secrets = JSON.parse(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8')) as Record<
      string,
      string
    >;
    const sent = collector.texts.join('\n');
    expect(collector.spans.length).to.be.greaterThan(30);
    const kept = [...Object.values(canaries), token, token.slice(-20), accountId, ...Object.values(secrets)];
    for (const text of kept) expect(sent).not.to.include(text);
    expect(new Set(collector.headers.map((headers) => headers['api-key']))).to.deep.equal(
      new Set(['collector-key']),
    );
  });

  it('belong to log lines, whose level an operator can change while the stack runs', async () => {
    const worker = `http://127.0.0.1:${readStack(stack.dataDir)?.environment.WORKER_PORT}/log-level`;
    expect((await fetch(worker)).status).to.equal(401);
    expect((await fetch(worker, { method: 'PUT', body: '{"level":"debug"}' })).status).to.equal(401);
    const levels = async (...args: string[]) => {
      const { status, stdout, stderr } = await stack.service('log-level', ...args, '--json');
      expect(status, stderr).to.equal(0);
      const rows = JSON.parse(stdout) as { process: string; level: string }[];
      return Object.fromEntries(rows.map(({ process: name, level }) => [name, level]));
    };
    expect(await levels('debug', '--role', 'worker')).to.deep.equal({ worker: 'debug' });
    expect(await levels()).to.include({
      worker: 'debug',
      gateway: 'info',
      node: 'info',
      'write-api': 'info',
    });
    expect((await stack.service('log-level', 'loud')).status).not.to.equal(0);
    expect(await levels('info')).to.include({ worker: 'info' });
  });

  it('are beside metrics, which include every one that a dashboard shows or a rule queries', async () => {
    const { stdout } = await stack.service('processes', '--json');
    const urls = (JSON.parse(stdout) as { url: string | null }[]).flatMap(({ url }) => url ?? []);
    const pages = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
    const served = new Set([...pages.join('\n').matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const recorded = new Set(groups.flatMap(({ rules }) => rules.flatMap(({ record }) => record ?? [])));
    const asked = [
      ...Object.values(boards).flatMap((panels) => panels.map(({ query }) => query)),
      ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ].flatMap((query) => [...query.matchAll(/\bservice[:_][\w:]+/g)].map(([name]) => name));
    expect(new Set(asked).size).to.be.greaterThan(40);
    const unknown = asked.filter(
      (name) =>
        !recorded.has(name) && !served.has(name) && !served.has(name.replace(/_(bucket|sum|count)$/, '')),
    );
    expect([...new Set(unknown)]).to.deep.equal([]);
  });

  it('are beside counters that start at 0 if an alert uses them, since Prometheus sees no increase in a series that starts at 1', async () => {
    const { stdout } = await stack.service('processes', '--json');
    const urls = (JSON.parse(stdout) as { url: string | null }[]).flatMap(({ url }) => url ?? []);
    const pages = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
    const lines = pages.join('\n').split('\n');
    const counted = groups
      .flatMap(({ rules }) =>
        rules.flatMap(({ expr }) => [...expr.matchAll(/(service_\w+)\{(\w+=~?"[\w|]+")\}\[/g)]),
      )
      .flatMap(([, name = '', matcher = '']) => {
        const [, label = '', values = ''] = /^(\w+)=~?"(.*)"$/.exec(matcher) ?? [];
        return values.split('|').map((value) => ({ name, having: `${label}="${value}"` }));
      });
    expect(counted.length).to.be.greaterThan(6);
    const absent = counted.filter(
      ({ name, having }) => !lines.some((line) => line.startsWith(`${name}{`) && line.includes(having)),
    );
    expect([...new Set(absent.map(({ name, having }) => `${name}{${having}}`))]).to.deep.equal([]);
  });
});
