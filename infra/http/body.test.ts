import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import { Refusal } from '../../contracts/problems.ts';
import { bodyReader } from './body.ts';
import { errorsBase, startApi, type CallOptions } from './testing.ts';

const id = 'ses_33333333-3333-4333-8333-333333333333';
const slugOf = ({ json }: { json: Record<string, unknown> }) =>
  String(json.type).replace(`${errorsBase}/`, '');
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('A request body', () => {
  let api: Awaited<ReturnType<typeof startApi<'write'>>>;
  before(async () => {
    api = await startApi('write');
  });
  after(() => api.close());
  const create = (body: unknown, options: CallOptions = {}) =>
    api.call('POST /v1/sessions', { body, ...options });
  const path = async (body: unknown, options?: CallOptions) => {
    const { status, json } = await create(body, options);
    expect(status).to.equal(400);
    return (json.errors as { path: string }[])[0]?.path;
  };

  it('is refused as `bad-request` when it is not JSON', async () => {
    for (const body of ['{', '', ' ', "{'a':1}", '{"a":1}x', 'NaN', Buffer.from([0x7b, 0xff, 0x7d])]) {
      const answer = await create(body);
      if (body === '') expect(answer.status).to.equal(201);
      else expect([answer.status, slugOf(answer)], String(body)).to.deep.equal([400, 'bad-request']);
    }
  });

  it('is refused if it is of another type, naming the expected one', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/json; charset=utf-16',
      'multipart/form-data; boundary=x',
      'application/json; x=y',
    ]) {
      const answer = await create('{}', { headers: { 'content-type': type } });
      expect([answer.status, slugOf(answer)], type).to.deep.equal([400, 'bad-request']);
      expect(answer.json.detail).to.contain('application/json');
    }
    for (const type of [
      'application/json',
      'Application/JSON; charset="UTF-8"',
      'application/json;charset=utf-8',
    ]) {
      expect((await create('{}', { headers: { 'content-type': type } })).status, type).to.equal(201);
    }
  });

  it('is refused when it is encoded', async () => {
    const answer = await create('{}', { headers: { 'content-encoding': 'gzip' } });
    expect([answer.status, slugOf(answer)]).to.deep.equal([400, 'bad-request']);
  });

  it('is refused above the limit, which the answer names', async () => {
    const answer = await create({ label: 'x'.repeat(1024 * 1024) });
    expect([answer.status, slugOf(answer)]).to.deep.equal([400, 'bad-request']);
    expect(answer.json.detail).to.contain('1048576');
  });

  it('is refused when it is nested too deeply, at any depth', async () => {
    expect((await create({ metadata: { a: JSON.parse(nested(60)) as unknown } })).status).to.equal(201);
    expect(await path(`{"metadata":{"a":${nested(80)}}}`)).to.equal('/body');
    expect(await path(`{"metadata":{"a":${nested(100_000)}}}`)).to.equal('/body');
    expect((await create({ label: '['.repeat(150), metadata: { '"': '\\"[[' } })).status).to.equal(201);
  });

  it('is refused with U+0000 or a lone surrogate anywhere in a declared field, naming it', async () => {
    expect(await path('{"label":"a\\u0000b"}')).to.equal('/body/label');
    expect(await path('{"metadata":{"list":[{"deep":"\\ud800"}]}}')).to.equal('/body/metadata/list/0/deep');
    expect(await path('{"metadata":{"a/b":{"\\udc00":1}}}')).to.equal('/body/metadata/a~1b');
    expect((await create('{"label":"\\ud83d\\ude00 \\u00e9"}')).json.body).to.deep.equal({ label: '😀 é' });
  });

  it('is accepted with any text in fields that are not declared', async () => {
    const answers = {
      '{"label":"a","note":"\\ud83d"}': 'note',
      '{"label":"a","note":{"deep":["\\u0000"]}}': 'note',
      '{"label":"a","\\ud83d\\u0000":1}': '%EF%BF%BD%00',
    };
    for (const [body, named] of Object.entries(answers)) {
      const { status, headers, json } = await create(body);
      expect([status, headers['x-service-unknown-fields']], body).to.deep.equal([201, named]);
      expect(json.body).to.have.property('label', 'a');
    }
    expect(await path('"\\u0000"')).to.equal('/body');
  });

  it('cannot pollute prototypes', async () => {
    const body =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"metadata":{"__proto__":{"polluted":1}}}';
    expect((await create(body)).status).to.equal(201);
    expect(({} as Record<string, unknown>).polluted).to.equal(undefined);
    expect(
      (
        await api.call(`POST /v1/sessions/${id}/interact`, {
          body: '{"__proto__":{"action":{"kind":"tap"}}}',
        })
      ).status,
    ).to.equal(400);
  });

  it('may have thousands of keys', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 10_000 }, (_value, index) => [`key${index}`, index]),
    );
    expect((await create(many)).status).to.equal(201);
    expect(await path({ metadata: many })).to.equal('/body/metadata');
  });
});

describe('A query', () => {
  let read: Awaited<ReturnType<typeof startApi<'read'>>>;
  before(async () => {
    read = await startApi('read');
  });
  after(() => read.close());
  const refused = async (target: string) => {
    const { status, json } = await read.call(`GET ${target}`);
    return [status, (json.errors as { path: string }[] | undefined)?.[0]?.path];
  };

  it('is refused with U+0000 or invalid UTF-8, naming the parameter', async () => {
    expect(await refused('/v1/sessions?cursor=a%00b')).to.deep.equal([400, '/query/cursor']);
    expect(await refused('/v1/sessions?cursor=%ED%A0%80')).to.deep.equal([400, '/query/cursor']);
    expect(await refused('/v1/sessions?%00=1')).to.deep.equal([400, '/query']);
  });

  it('may contain any other text', async () => {
    const { json } = await read.call(
      'GET /v1/account/audit-log?actor=%C3%A9%20%F0%9F%98%80+x&since=2026-01-01T00:00:00Z',
    );
    expect(json.query).to.deep.include({ actor: 'é 😀 x', since: '2026-01-01T00:00:00Z' });
  });

  it('is refused when a parameter is repeated, is an object, or is not a time', async () => {
    expect(await refused('/v1/sessions?limit=1&limit=2')).to.deep.equal([400, '/query/limit']);
    expect(await refused('/v1/account/audit-log?since=2026-19-01T00:00:00Z')).to.deep.equal([
      400,
      '/query/since',
    ]);
    expect((await read.call('GET /v1/sessions?limit[a]=1&__proto__[x]=1')).json.query).to.deep.equal({
      limit: 50,
    });
  });
});

describe('An id in a path', () => {
  let read: Awaited<ReturnType<typeof startApi<'read'>>>;
  before(async () => {
    read = await startApi('read');
  });
  after(() => read.close());

  it('is looked up even if it is not a valid id, since it then matches nothing', async () => {
    const given = async (id: string) => (await read.call(`GET /v1/sessions/${id}`)).json.params;
    expect(await given('ses_%00')).to.deep.equal({ id: 'ses_\0' });
    expect(await given('a%2Fb')).to.deep.equal({ id: 'a/b' });
    for (const broken of ['ses_%zz', '%ED%A0%80', '%E2%82', '%'])
      expect(await given(broken)).to.deep.equal({ id: broken });
  });

  it('requires a credential first, even if it cannot be decoded', async () => {
    expect((await read.call('GET /v1/sessions/%zz', { token: null })).status).to.equal(401);
  });
});

describe('A body whose sender has disconnected before it is read', () => {
  it('is not mistaken for a missing one', async () => {
    const read = bodyReader(1_000);
    const app = express();
    const outcome = new Promise((resolve) => {
      app.use((request, response) => {
        request.socket.once('close', () => void read(request, response).then(resolve, resolve));
      });
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const client = connect(port, '127.0.0.1');
    client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 11\r\n\r\n{"label"', () =>
      client.resetAndDestroy(),
    );
    expect(await outcome)
      .to.be.instanceOf(Refusal)
      .and.to.include({ slug: 'bad-request' });
    server.close();
  });
});

describe('A form', () => {
  let api: Awaited<ReturnType<typeof startApi<'write'>>>;
  before(async () => {
    api = await startApi('write');
  });
  after(() => api.close());
  const send = (target: string, body: string | Buffer, type = 'application/x-www-form-urlencoded') =>
    api.call(target, { body, headers: { 'content-type': type } });
  const ask = (body: string | Buffer, type?: string) => send('POST /v1/oauth/token', body, type);

  it('is accepted and decoded where OAuth requires it, including empty fields', async () => {
    const answer = await ask('grant_type=urn%3Ax&scope=a+b&refresh_token=');
    expect(answer.json.body).to.deep.equal({ grant_type: 'urn:x', scope: 'a b', refresh_token: '' });
    const typed = await ask('grant_type=x', 'Application/X-WWW-Form-Urlencoded; charset=UTF-8');
    expect(typed.status).to.equal(200);
  });

  it('is refused when it is ambiguous or cannot be stored', async () => {
    for (const body of ['grant_type=x&grant_type=y', 'grant_type=%00', Buffer.from([0x61, 0x3d, 0xff])]) {
      const { status, json } = await ask(body);
      expect([status, json.error], String(body)).to.deep.equal([400, 'invalid_request']);
    }
  });

  it('is accepted with any text in fields that are not declared', async () => {
    expect((await ask('grant_type=x&note=%00')).status).to.equal(200);
  });

  it('has a missing field reported both as an OAuth error and as a problem', async () => {
    const { status, json } = await ask('scope=x');
    expect([status, json.error]).to.deep.equal([400, 'invalid_request']);
    expect(json.errors).to.deep.include({
      path: '/body/grant_type',
      code: 'required',
      message: 'grant_type is required.',
    });
  });

  it('may have fields with the names of built-in properties', async () => {
    const answer = await ask('grant_type=x&__proto__=y&constructor=z');
    expect(answer.status).to.equal(200);
    expect(answer.json.body).to.have.property('constructor', 'z');
  });

  it('is refused by all other routes', async () => {
    const answer = await send('POST /v1/sessions', 'label=x');
    expect([answer.status, slugOf(answer), 'error' in answer.json]).to.deep.equal([
      400,
      'bad-request',
      false,
    ]);
  });
});
