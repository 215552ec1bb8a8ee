import { expect } from 'chai';
import { refuse } from '../../contracts/problems.ts';
import { routes, type Route } from '../../contracts/routes/index.ts';
import { createApi, handlerWithExists, unavailable } from './index.ts';
import { echoes, errorsBase, owner, startApi } from './testing.ts';
import { pino } from 'pino';

const id = 'ses_33333333-3333-4333-8333-333333333333';
const type = (slug: string) => `${errorsBase}/${slug}`;
const example = (route: Route) => `${route.method} ${route.path.replace('{id}', id)}`;

describe('An API', () => {
  let write: Awaited<ReturnType<typeof startApi<'write'>>>;
  let read: Awaited<ReturnType<typeof startApi<'read'>>>;
  before(async () => {
    [write, read] = await Promise.all([startApi('write'), startApi('read')]);
  });
  after(() => Promise.all([write.close(), read.close()]));

  it('gives every answer a request id and repeats it as the instance of a problem', async () => {
    const refused = await write.call('POST /v1/sessions', { token: null });
    expect(refused.headers['x-request-id']).to.match(/^req_[0-9a-f-]{36}$/);
    expect(refused.json).to.include({
      type: type('unauthorized'),
      status: 401,
      instance: refused.headers['x-request-id'],
    });
    expect(refused.headers['content-type']).to.equal('application/problem+json');
    expect((await write.call('POST /v1/sessions')).headers['x-request-id']).to.match(/^req_/);
  });

  it("keeps a caller's own request id when it is harmless", async () => {
    const sent = async (value: string) =>
      (await read.call('GET /v1/sessions', { headers: { 'X-Request-Id': value } })).headers['x-request-id'];
    expect(await sent('my-request_0001')).to.equal('my-request_0001');
    expect(await sent('short')).to.match(/^req_/);
    expect(await sent('x'.repeat(129))).to.match(/^req_/);
    expect(await sent('spaces are not fine')).to.match(/^req_/);
  });

  it('fills in the defaults of the body and of the query', async () => {
    const { json } = await write.call(`POST /v1/sessions/${id}/interact`, {
      body: { action: { kind: 'long_press', selector: '#a' } },
    });
    expect(json.body).to.deep.equal({ action: { kind: 'long_press', selector: '#a', duration_ms: 600 } });
    const url = 'https://example.com/';
    const navigated = await write.call(`POST /v1/sessions/${id}/navigate`, { body: { url } });
    expect(navigated.json.body).to.deep.equal({ url, wait_until: 'load' });
    expect((await read.call('GET /v1/sessions?other=1')).json.query).to.deep.equal({ limit: 50 });
    expect((await read.call('GET /v1/sessions?limit=7&cursor=')).json.query).to.deep.equal({
      limit: 7,
      cursor: '',
    });
  });

  it('passes the parameters of the path along with a query or a body', async () => {
    const queried = await read.call('GET /v1/webhooks/whk_1/deliveries?limit=7');
    expect(queried.json).to.deep.include({ params: { id: 'whk_1' }, query: { limit: 7 } });
    const action = { kind: 'press', key: 'a' };
    const sent = await write.call(`POST /v1/sessions/${id}/interact`, { body: { action } });
    expect(sent.json.params).to.deep.equal({ id });
  });

  it('accepts no body where none is required', async () => {
    expect((await write.call('POST /v1/sessions')).json.body).to.deep.equal({});
    expect((await write.call(`POST /v1/sessions/${id}/navigate`)).json).to.deep.include({
      type: type('validation-failed'),
      errors: [{ path: '/body', code: 'required', message: 'The body is required.' }],
    });
  });

  it('names the invalid field, in the variant that the body selects', async () => {
    const errorsOf = async (action: unknown) =>
      (await write.call(`POST /v1/sessions/${id}/interact`, { body: { action } })).json.errors;
    expect(await errorsOf({ kind: 'type', selector: '#a' })).to.deep.equal([
      { path: '/body/action/text', code: 'required', message: 'action.text is required.' },
    ]);
    const [unknown] = (await errorsOf({ kind: 'teleport' })) as { path: string; message: string }[];
    expect(unknown?.path).to.equal('/body/action/kind');
    expect(unknown?.message).to.match(/^action\.kind must be one of tap, double_tap, long_press, .*\.$/);
    const over = await read.call('GET /v1/sessions?limit=101');
    expect(over.json).to.deep.include({
      errors: [{ path: '/query/limit', code: 'maximum', message: 'limit must be at most 100.' }],
    });
    expect(over.json.detail).to.equal('limit must be at most 100.');
  });

  it('refuses a name that is blank', async () => {
    const { status, json } = await write.call('POST /v1/api-keys', { body: { name: ' \t' } });
    expect([status, json.detail]).to.deep.equal([400, 'name must not be blank.']);
  });

  it('refuses an idempotency key that is not 1 to 255 visible characters', async () => {
    const withKey = (key: string) => write.call('POST /v1/sessions', { headers: { 'Idempotency-Key': key } });
    expect((await withKey('k'.repeat(255))).status).to.equal(201);
    for (const key of ['', 'two words', 'k'.repeat(256)]) {
      const { status, json } = await withKey(key);
      expect([status, json.type], key).to.deep.equal([400, type('validation-failed')]);
    }
  });

  it('answers 404 to unknown paths and other spellings of known ones, whatever the method', async () => {
    const paths = ['/v1/nothing', '/V1/sessions', '/v1/sessions/', '/v1//sessions', '/v1/%zz', '/%00'];
    const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'TRACE'];
    for (const target of paths.flatMap((path) => methods.map((method) => `${method} ${path}`))) {
      const { status, headers } = await read.call(target);
      expect(status, target).to.equal(404);
      expect(headers, target).to.include({ 'content-type': 'application/problem+json' });
      expect(headers, target).not.to.have.any.keys(
        'allow',
        'x-powered-by',
        'etag',
        'access-control-allow-origin',
        'server',
      );
    }
  });

  it('sends a Bearer challenge with every 401, and an error in it only for a refused key', async () => {
    const challenge = async (headers: Record<string, string>) =>
      (await read.call('GET /v1/sessions', { token: null, headers })).headers['www-authenticate'];
    expect(await challenge({})).to.equal('Bearer realm="service"');
    expect(await challenge({ authorization: 'Basic eDp5' })).to.equal('Bearer realm="service"');
    expect(await challenge({ authorization: 'Bearer bad' })).to.equal(
      'Bearer realm="service", error="invalid_token"',
    );
    expect((await read.call('GET /v1/sessions')).headers).not.to.have.property('www-authenticate');
  });

  it('turns an unexpected error into `internal`, without its text or stack', async () => {
    const api = await startApi('read', {
      handlers: { 'account.me': { run: () => Promise.reject(new Error('secret at /srv/app.ts:1')) } },
    });
    const { status, json, text } = await api.call('GET /v1/account/me');
    expect([status, json.type]).to.deep.equal([500, type('internal')]);
    expect(text).not.to.match(/secret|app\.ts|stack/);
    await api.close();
  });

  it('says that a failed request may be sent again, unless it may have made a change', async () => {
    const failing = { run: () => Promise.reject(new Error('broken')) };
    const api = await startApi('write', {
      handlers: {
        ...{ 'sessions.create': failing, 'sessions.state': failing },
        'sessions.destroy': { run: () => Promise.reject(unavailable('The log is away.')) },
        'sessions.navigate': handlerWithExists({
          exists: () => Promise.reject(unavailable('The log is away.')),
          run: async () => ({}),
        }),
      },
    });
    const details = [];
    for (const target of [
      'POST /v1/sessions',
      `DELETE /v1/sessions/${id}`,
      `GET /v1/sessions/${id}/state`,
      `POST /v1/sessions/${id}/navigate`,
    ])
      details.push((await api.call(target)).json.detail);
    const look = 'Whether this change was made is unknown: look before sending it again.';
    const fault = 'The request failed because of an internal error.';
    expect(details).to.deep.equal([
      `${fault} ${look}`,
      `The log is away. ${look}`,
      `${fault} The request may be sent again.`,
      'The log is away. The request may be sent again.',
    ]);
    await api.close();
  });

  it('carries the extensions of a problem flat beside its members', async () => {
    const api = await startApi('write', {
      handlers: {
        'sessions.create': {
          run: () =>
            Promise.reject(
              refuse('concurrency-limit', undefined, { current_sessions: 3, limit: 3, status: 1 }),
            ),
        },
      },
    });
    const { json, headers } = await api.call('POST /v1/sessions');
    expect(json).to.include({ type: type('concurrency-limit'), status: 429, current_sessions: 3, limit: 3 });
    expect(headers).not.to.have.property('retry-after');
    await api.close();
  });

  it('answers with the status, headers and log position of a reply, and 204 without a body', async () => {
    const api = await startApi('write', {
      handlers: {
        'sessions.destroy': { run: async () => ({ position: { commit: 12n, prepare: 11n } }) },
        'sessions.create': {
          run: async () => ({ body: { id }, headers: { 'Idempotency-Replayed': 'true' } }),
        },
      },
    });
    const destroyed = await api.call(`DELETE /v1/sessions/${id}`);
    expect([destroyed.status, destroyed.text, destroyed.headers['x-service-position']]).to.deep.equal([
      204,
      '',
      '12/11',
    ]);
    const created = await api.call('POST /v1/sessions');
    expect([created.status, created.headers['idempotency-replayed']]).to.deep.equal([201, 'true']);
    await api.close();
  });

  it('gives a handler what its `exists` found', async () => {
    const api = await startApi('read', {
      handlers: {
        'sessions.get': handlerWithExists({
          exists: async (_caller, params: { readonly id: string }) => ({ label: `found ${params.id}` }),
          run: async ({ found }) => ({ body: { label: found.label } }),
        }),
      },
    });
    expect((await api.call(`GET /v1/sessions/${id}`)).json).to.deep.equal({ label: `found ${id}` });
    await api.close();
  });

  it('reports each answered request with its route', async () => {
    const served: unknown[] = [];
    const api = await startApi('read', { onServed: ({ routeId, status }) => served.push([routeId, status]) });
    await api.call('GET /v1/account/me');
    await api.call('GET /nowhere');
    await api.close();
    expect(served).to.deep.equal([
      ['account.me', 200],
      [null, 404],
    ]);
  });

  it('does not start with a route without a handler, nor with a handler without a route', () => {
    const start = (handlers: object) => () =>
      createApi({
        side: 'read',
        handlers: handlers as ReturnType<typeof echoes<'read'>>,
        authenticate: async () => owner,
        limit: async () => ({ limit: 1, remaining: 1, resetSeconds: 1 }),
        errorsBase,
        logger: pino({ level: 'silent' }),
      });
    const { 'account.me': _left, ...fewer } = echoes('read');
    expect(start(fewer)).to.throw('no handler for account.me');
    expect(start({ ...echoes('read'), 'sessions.teleport': {} })).to.throw('no route for sessions.teleport');
  });

  it('serves every route of the table on its side and no route of the other', async () => {
    for (const route of routes) {
      const [here, there] = route.side === 'write' ? [write, read] : [read, write];
      const { status } = await here.call(example(route), { token: route.scopes === null ? null : 'bad' });
      if (route.scopes === null) expect(status, route.id).not.to.be.oneOf([401, 404]);
      else expect(status, route.id).to.equal(401);
      expect((await there.call(example(route))).status, route.id).to.equal(404);
    }
  });
});
