import { expect } from 'chai';
import { AbortError, Service, type LogDetails, type ServiceOptions } from 'service/client';
import { startMisbehavingServer, type MisbehavingServer } from '../testbed/index.ts';
import * as will from '../testbed/misbehaving-server.ts';

describe('the client', () => {
  let server: MisbehavingServer;
  const client = (options: Partial<ServiceOptions> = {}) =>
    new Service({ baseUrl: `${server.url}/`, apiKey: 'svc_test_1', ...options });

  before(async () => {
    server = await startMisbehavingServer();
  });
  after(() => server.close());

  it('sends parameters, query, body and headers where they go', async () => {
    server.will(will.json({}));
    await client({ onAccountOf: 'acc_1' }).keys.create(
      { name: 'ci', scopes: ['read'] },
      { headers: { 'X-Trace': 't' } },
    );
    await client().usage.series({ metric: 'sessions.minutes', bucket: 'hour', from: undefined });
    await client().webhooks.replayProgress('whk_1', 'a/b');
    const [create, series, progress] = server.received;
    expect(create).to.include({
      method: 'POST',
      path: '/v1/api-keys',
      body: '{"name":"ci","scopes":["read"]}',
    });
    expect(create?.headers).to.include({
      authorization: 'Bearer svc_test_1',
      'content-type': 'application/json',
      'x-service-account': 'acc_1',
      'x-trace': 't',
    });
    expect(series?.path).to.equal('/v1/usage/series?metric=sessions.minutes&bucket=hour');
    expect(progress?.path).to.equal('/v1/webhooks/whk_1/replays/a%2Fb');
  });

  it('takes options after the query, also in areas that return handles', async () => {
    server.will(will.json({}));
    const { sessions, agents } = client();
    const aborted = { signal: AbortSignal.abort() };
    const firstOf = (list: AsyncIterable<unknown>) => list[Symbol.asyncIterator]().next();
    const calls = [
      () => sessions.get('ses_1', {}, aborted),
      () => agents.get('agt_1', {}, aborted),
      () => firstOf(sessions.list({ status: 'ready' }, aborted)),
      () => firstOf(agents.list({}, aborted)),
    ];
    for (const call of calls) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error, String(call)).to.be.instanceOf(AbortError);
    }
    expect(server.received).to.deep.equal([]);
  });

  it('refuses what would be sent to another path, or could not be sent, before any request', async () => {
    server.will(will.json({}));
    const wrong = [
      () => client().sessions.get('..'),
      () => client().sessions.get(''),
      () => client().sessions.get(undefined as never),
      () => client().account.me({ headers: { 'X-Bad': 'a\nb' } }),
      () => client().sessions.create({}, { idempotencyKey: 'zwölf' }),
    ];
    for (const call of wrong) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error, String(call)).to.be.instanceOf(TypeError);
    }
    expect(server.received).to.deep.equal([]);
    expect(() => client({ apiKey: 'svc_test_secret\n' }))
      .to.throw(TypeError)
      .with.property('message')
      .not.match(/secret/);
    expect(() => client({ baseUrl: 'ftp://example.org' })).to.throw(TypeError);
    expect(() => client().request('GET', 'v1/sessions')).to.throw(TypeError);
  });

  it('gets the newest access token before each request', async () => {
    server.will(will.json({}));
    let times = 0;
    const own = client({ apiKey: undefined, accessToken: async () => `token-${(times += 1)}` });
    await own.account.me();
    await own.account.me();
    expect(server.received.map(({ headers }) => headers.authorization)).to.deep.equal([
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });

  it('reads its own writes: it sends the highest position that it has received', async () => {
    const at = (position: string) => will.json({}, { headers: { 'X-Service-Position': position } });
    server.will(at('900/900'), at('1000/1'), at('999/999'), will.json({}));
    const own = client({ position: '5/5' });
    await own.keys.create({ name: 'ci', scopes: ['read'] });
    await own.account.me();
    await own.account.me();
    await own.account.me();
    expect(server.received.map(({ headers }) => headers['x-service-min-position'])).to.deep.equal([
      undefined,
      '900/900',
      '1000/1',
      '1000/1',
    ]);
    expect(own.position).to.equal('1000/1');
  });

  it('yields pages as they are read, and resumes from a cursor', async () => {
    const pages = (cursor: string, next: string) =>
      will.json({ data: [{ id: cursor }], has_more: next !== '', next_cursor: next });
    server.will(pages('a', 'two'), pages('b', 'three'), pages('c', ''));
    const ids: string[] = [];
    for await (const { id } of client().keys.list({ limit: 1 })) ids.push(id);
    expect(ids).to.deep.equal(['a', 'b', 'c']);
    expect(server.received.map(({ path }) => path)).to.deep.equal([
      '/v1/api-keys?limit=1',
      '/v1/api-keys?limit=1&cursor=two',
      '/v1/api-keys?limit=1&cursor=three',
    ]);
    server.will(pages('b', 'three'), pages('c', ''));
    const read: unknown[] = [];
    for await (const page of client().keys.list({ cursor: 'two' }).byPage()) read.push(page);
    expect(read).to.deep.equal([
      { data: [{ id: 'b' }], nextCursor: 'three' },
      { data: [{ id: 'c' }], nextCursor: null },
    ]);
  });

  it('fetches no page that is not read', async () => {
    server.will(will.json({ data: [{ id: 'a' }], has_more: true, next_cursor: 'more' }));
    for await (const { id } of client().keys.list()) {
      expect(id).to.equal('a');
      break;
    }
    expect(server.received).to.have.length(1);
  });

  it('resumes a feed by `after`, and returns what a page has besides its items', async () => {
    server.will(will.json({ data: [{ id: 'e1' }], has_more: false, next_cursor: 'later' }));
    for await (const { nextCursor } of client().events.list({ after: 'before' }).byPage())
      expect(nextCursor).to.equal('later');
    expect(server.received[0]?.path).to.equal('/v1/events?after=before');
    server.will(will.json({ data: [], has_more: false, next_cursor: '', names: { acc_1: 'Ada' } }));
    for await (const { names } of client().auditLog.list().byPage())
      expect(names).to.deep.equal({ acc_1: 'Ada' });
  });

  it('returns text and bytes as such', async () => {
    server.will((response) => void response.writeHead(200, { 'Content-Type': 'text/csv' }).end('a,b\n'));
    expect(await client().auditLog.export({ format: 'csv' })).to.equal('a,b\n');
    server.will(
      (response) => void response.writeHead(200, { 'Content-Type': 'application/pdf' }).end('%PDF'),
    );
    expect(await client().cryptoOrders.receiptPdf('ord_1')).to.deep.equal(
      new Uint8Array(Buffer.from('%PDF')),
    );
    server.will((response) => void response.writeHead(204).end());
    expect(await client().keys.revoke('key_1')).to.equal(undefined);
  });

  it('logs what it does, and never a key, a query or a text of a customer', async () => {
    const said: [string, LogDetails][] = [];
    const logger = {
      debug: (...line: [string, LogDetails]) => void said.push(line),
      warn: (...line: [string, LogDetails]) => void said.push(line),
    };
    server.will(will.page(502), will.json({}));
    await client({ logger }).sessions.get('ses_secret', {
      as_of: 'secret-moment',
      headers: { 'X-Secret': 'secret' },
    });
    expect(said.map(([, { status, attempt }]) => ({ status, attempt }))).to.deep.equal([
      { status: 502, attempt: 1 },
      { status: 200, attempt: 2 },
    ]);
    expect(JSON.stringify(said)).not.to.match(/secret|svc_test_1/);
  });

  it('calls a route without a method of its own, and types its answer', async () => {
    server.will(
      will.json({ new: true }),
      (response) => void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('hello'),
    );
    const { data, response } = await client()
      .request('POST', '/v1/new-thing', { query: { a: 1 }, body: { b: 2 } })
      .withResponse();
    expect(data).to.deep.equal({ new: true });
    expect(response.status).to.equal(200);
    expect(server.received[0]).to.include({ method: 'POST', path: '/v1/new-thing?a=1', body: '{"b":2}' });
    expect(await client().request('get', '/v1/hello')).to.equal('hello');
  });

  it('waits without a limit of silence if that is asked for', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => void warnings.push(warning);
    process.on('warning', warn);
    server.will(will.json({ id: 'ses_1' }));
    expect(await client({ readTimeoutMs: Infinity }).sessions.get('ses_1')).to.include({ id: 'ses_1' });
    process.off('warning', warn);
    expect(warnings).to.deep.equal([]);
  });

  it('does not follow a redirect with the key', async () => {
    server.will((response) => void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end());
    const error: unknown = await client()
      .account.me()
      .catch((thrown: unknown) => thrown);
    expect(error).to.include({ name: 'ServiceError', status: 302 });
  });
});
