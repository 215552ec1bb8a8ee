import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { CLIENT_CAPABILITIES_META_KEY, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { expect } from 'chai';
import { pino } from 'pino';
import type { Fetch } from '../../contracts/client/index.ts';
import { errorsBase } from '../http/testing.ts';
import { until } from '../verification/testbed/index.ts';
import { createMcpRequests } from './mcp-handler.ts';
import { createMcpEndpoint, type McpEndpoint } from './mcp.ts';

const account = 'acc_0197f1a0-0000-7000-8000-000000000002';
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
const page = (session: string) => ({
  ...{ ...list, method: 'resources/read' },
  params: { uri: `service://browsers/${session}/page.html` },
});
const extract = (session: string) => ({
  ...{ ...list, method: 'tools/call' },
  params: { name: 'extract', arguments: { session, schema: { type: 'object' } } },
});
const look = { ...list, method: 'tools/call', params: { name: 'list_browsers', arguments: {} } };

describe('MCP requests at the public base URL', () => {
  let endpoint: McpEndpoint;
  let base: string;
  let close: () => void;
  /** Called tools, with their outcomes. */
  let called: string[];
  /** Requests of the tools to the service: credential, address and account. */
  let asked: { path: string; headers: Readonly<Record<string, string>> }[];
  /** Settles before the handler of the requests is loaded. */
  let loading: Promise<void>;
  let answersOf: (path: string, headers: Readonly<Record<string, string>>) => Promise<Response>;

  const problem = (status: number, slug: string) =>
    Response.json(
      { type: `${errorsBase}/${slug}`, title: slug, status, detail: slug },
      { status, headers: { 'content-type': 'application/problem+json' } },
    );
  const isGood = ({ authorization }: Readonly<Record<string, string>>) =>
    authorization?.endsWith('good') === true;

  beforeEach(async () => {
    asked = [];
    called = [];
    loading = Promise.resolve();
    answersOf = async (path, headers) => {
      if (!isGood(headers)) return problem(401, 'invalid-key');
      return Response.json(
        path === '/v1/account/me' ? { id: account } : { data: [], has_more: false, next_cursor: '' },
      );
    };
    const fetchFor =
      (address: string): Fetch =>
      async (url, { headers }) => {
        const path = new URL(url).pathname;
        asked.push({ path, headers: { ...headers, address } });
        return answersOf(
          path,
          Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
        );
      };
    const server = createServer((request, response) => {
      if (!endpoint.handle(request, response)) response.writeHead(418).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    endpoint = createMcpEndpoint({
      ...{ baseUrl: base, consoleUrl: `${base}/console`, errorsBase, fetchFor },
      addressOf: (request: IncomingMessage) => `of ${request.socket.remoteAddress}`,
      logger: pino({ level: 'silent' }),
      onCalled: ({ tool, outcome }, ms) => {
        expect(ms).to.be.at.least(0);
        called.push(`${tool} ${outcome}`);
      },
      concurrency: { requests: { perKey: 2, total: 3 }, largeReads: { perKey: 1, total: 1 } },
      load: (options) => loading.then(() => createMcpRequests(options)),
    });
    close = () => server.close();
  });
  afterEach(async () => {
    await endpoint.close();
    close();
  });

  const post = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${base}/mcp`, {
      method: 'POST',
      ...(signal && { signal }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: 'Bearer good',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  it('require a credential, and the refusal names the metadata about how to get one', async () => {
    for (const authorization of ['', 'Basic Z29vZA==', 'Bearer', 'Bearer bad']) {
      const refused = await post(list, { authorization });
      expect([refused.status, refused.headers.get('content-type')]).to.deep.equal([
        401,
        'application/problem+json',
      ]);
      const [, place = ''] =
        /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
      const found = await fetch(place, { headers: { 'x-request-id': 'my-request-1' } });
      expect(found.headers.get('x-request-id')).to.equal('my-request-1');
      const metadata = (await found.json()) as Record<string, unknown>;
      expect(metadata).to.deep.include({ resource: `${base}/mcp`, authorization_servers: [base] });
    }
    const listed = await post(list);
    expect([listed.status, listed.headers.get('x-request-id')?.slice(0, 4)]).to.deep.equal([200, 'req_']);
  });
  it('resolve a credential once and cache it, and call the service with the client’s credential and address', async () => {
    expect(await (await post(look, { 'x-service-account': account })).text()).to.include('0 open.');
    await post(look);
    expect(asked.map(({ path }) => path)).to.deep.equal([
      ...['/v1/account/me', '/v1/sessions', '/v1/sessions'],
      ...['/v1/sessions', '/v1/sessions'],
    ]);
    const [, first, , last] = asked;
    expect(first?.headers).to.include({ address: 'of 127.0.0.1' });
    expect([first, last].map((each) => JSON.stringify(each).includes(account))).to.deep.equal([true, false]);
  });
  it('are refused from pages of other origins, as a protection from DNS rebinding', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://evil.example:80'])
      expect((await post(list, { origin })).status, origin).to.equal(403);
    for (const origin of [base, base.replace('127.0.0.1', 'localhost')])
      expect((await post(list, { origin })).status, origin).to.equal(200);
    expect(asked.map(({ path }) => path)).to.deep.equal(['/v1/account/me']);
  });
  it('accept only POST, and at most 4 MiB', async () => {
    for (const method of ['GET', 'DELETE', 'PUT'])
      expect(
        (await fetch(`${base}/mcp`, { method, headers: { authorization: 'Bearer good' } })).status,
        method,
      ).to.equal(405);
    expect((await post({ ...look, params: { ...look.params, pad: 'x'.repeat(5_000_000) } })).status).to.equal(
      413,
    );
    for (const wrong of ['{', '[]', '"x"', '{"jsonrpc":"1.0"}'])
      expect((await post(wrong)).status, wrong).to.equal(400);
    expect((await fetch(`${base}/mcp/other`)).status).to.equal(418);
  });
  it('have a concurrency limit for each account and in total', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const usual = answersOf;
    await post(list);
    answersOf = async (path, headers) => {
      if (path !== '/v1/account/me') await held;
      return usual(path, headers);
    };
    const slow = [post(look), post(look)];
    await until(async () => asked.filter(({ path }) => path === '/v1/sessions').length === 2);
    const refused = await post(list);
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, '1']);
    release();
    for (const each of slow) expect((await each).status).to.equal(200);
    expect((await post(list)).status).to.equal(200);
  });
  it('read at most so many captures and extracted data of an account at once, and the others afterwards', async () => {
    const reads: string[] = [];
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const usual = answersOf;
    answersOf = async (path, headers) => {
      if (!/\/(capture|extract)$/.test(path)) return usual(path, headers);
      reads.push(path);
      await released;
      return path.endsWith('/capture')
        ? Response.json({ kind: 'html', data: '<p>', encoding: 'utf8' })
        : Response.json({ data: { name: 'Ada' }, matched: true, duration_ms: 1 });
    };
    const texts = [page('ses_1'), extract('ses_2')].map(async (read) => (await post(read)).text());
    await until(() => reads.length > 0 && endpoint.open() === 2);
    // The other one would begin within the time of these.
    for (let round = 0; round < 5; round += 1) expect((await post(list)).status).to.equal(429);
    expect(reads).to.have.length(1);
    release();
    const [captured, extracted] = await Promise.all(texts);
    expect(captured).to.include('"text":"<p>"');
    expect(extracted).to.include('Ada');
    expect(reads).to.have.length(2);
  });
  it('read one file or capture each', async () => {
    const usual = answersOf;
    answersOf = async (path, headers) =>
      path.endsWith('/capture')
        ? Response.json({ kind: 'html', data: '<p>', encoding: 'utf8' })
        : usual(path, headers);
    const text = await (await post([page('ses_1'), { ...page('ses_2'), id: 2 }])).text();
    expect(text).to.include('A request reads one file or capture, or extracts data once.');
    expect(asked.filter(({ path }) => path.endsWith('/capture'))).to.have.length(1);
    expect(await (await post(page('ses_3'))).text()).to.include('"text":"<p>"');
  });
  it('have the limit of an account together, at an address, if their credentials do not tell the account', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    answersOf = async (path) => {
      if (path === '/v1/account/me') return problem(403, 'forbidden');
      await held;
      return Response.json({ data: [], has_more: false, next_cursor: '' });
    };
    const by = (token: string) => ({ authorization: `Bearer ${token}` });
    const slow = [post(look, by('one')), post(look, by('another'))];
    await until(() => endpoint.open() === 2);
    expect((await post(list, by('third'))).status).to.equal(429);
    release();
    for (const each of slow) expect((await each).status).to.equal(200);
  });
  it('are not held open by clients that subscribe to changes, of which there are none', async () => {
    const [version, method] = ['2026-07-28', 'subscriptions/listen'];
    const _meta = { [PROTOCOL_VERSION_META_KEY]: version, [CLIENT_CAPABILITIES_META_KEY]: {} };
    const notifications = { toolsListChanged: true, resourcesListChanged: true };
    const headers = { 'mcp-protocol-version': version, 'mcp-method': method };
    const asked = { ...list, method, params: { notifications, _meta } };
    const answer = await post(asked, headers, AbortSignal.timeout(10_000));
    const text = await answer.text();
    expect([answer.status, text.includes('"resultType":"complete"')], text).to.deep.equal([200, true]);
    await until(() => endpoint.open() === 0);
  });
  it('report the called tools with their outcomes, and the number of open requests', async () => {
    await post(look);
    answersOf = async (path) =>
      path === '/v1/account/me' ? Response.json({ id: account }) : problem(404, 'not-found');
    await post(look);
    await post({ ...look, params: { name: 'look', arguments: { session: 'ses_gone' } } });
    await post({ ...look, params: { name: 'look', arguments: {} } });
    await post(list);
    expect(called).to.deep.equal(['list_browsers done', 'list_browsers failed', 'look failed']);
    expect(endpoint.open()).to.equal(0);
    answersOf = () => new Promise(() => undefined);
    const leaves = new AbortController();
    const left = post(look, {}, leaves.signal).catch(() => 'left');
    await until(() => endpoint.open() === 1);
    leaves.abort();
    expect(await left).to.equal('left');
    await until(() => called.at(-1) === 'list_browsers cancelled' && endpoint.open() === 0);
  });
  it('are answered 503 while the service is unavailable', async () => {
    answersOf = () => Promise.reject(new Error('unavailable'));
    expect((await post(list)).status).to.equal(503);
    answersOf = async () => problem(403, 'forbidden');
    expect((await post(list)).status).to.equal(200);
  });
  it('are answered 503 only as long as their handler cannot be loaded, which does not affect closing', async () => {
    let fail: (error: Error) => void = () => undefined;
    loading = new Promise((_, reject) => (fail = reject));
    const waiting = post(list);
    await until(() => endpoint.open() === 1);
    const closed = endpoint.close();
    fail(new Error('Too many open files.'));
    await closed;
    expect((await waiting).status).to.equal(503);
    loading = Promise.resolve();
    expect((await post(list)).status).to.equal(200);
  });
});
