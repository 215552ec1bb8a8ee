import { expect } from 'chai';
import fc from 'fast-check';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { request as send } from 'node:http';
import { largestState } from '../../contracts/profile-state.ts';
import { tempDir, until } from '../verification/testbed/index.ts';
import { FieldSplitter } from './field-splitter.ts';
import { toId } from '../../contracts/ids.ts';
import { errorsBase, owner, startApi } from './testing.ts';

const route = 'POST /v1/profiles/import';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('A body with a field that is too large for memory', () => {
  let api: Awaited<ReturnType<typeof startApi<'write'>>>;
  let directory: string;
  /** Handlers wait for it before they answer. */
  let gate: Promise<void>;
  let begun: number;
  before(async () => {
    directory = tempDir('spool');
    api = await startApi('write', {
      spoolDirectory: directory,
      // `Bearer 7`: the account whose id begins with 7; any other is the owner.
      authenticate: async (request) => {
        const [, digit] = /^Bearer (\d)$/.exec(request.header('authorization') ?? '') ?? [];
        const id = digit && toId('account', `${digit}2222222-1111-4111-8111-111111111111`);
        return id ? { ...owner, accountId: id, actorId: id } : owner;
      },
      handlers: {
        'profiles.import': {
          run: async ({ body, file }) => {
            begun += 1;
            await gate;
            const chunks: Buffer[] = [];
            for await (const chunk of file.read() as AsyncIterable<Buffer>) chunks.push(chunk);
            return { body: { body, content: Buffer.concat(chunks).toString(), sha256: file.sha256 } };
          },
        },
      },
    });
  });
  beforeEach(() => {
    gate = Promise.resolve();
    begun = 0;
  });
  after(() => api.close());

  const post = (body: unknown) => api.call(route, { body });
  const errorOf = async (body: unknown) => {
    const { status, json } = await post(body);
    const [error] = (json.errors ?? []) as { path: string; code: string }[];
    return [status, error?.path ?? String(json.type).replace(`${errorsBase}/`, '')];
  };

  it('is passed to the handler as a decoded file, and leaves nothing behind', async () => {
    const { status, json } = await post({ name: 'mine', data: base64('what was sent'), passphrase: 'p' });
    expect(status).to.equal(201);
    expect(json).to.deep.include({
      content: 'what was sent',
      body: { name: 'mine', data: 'x', passphrase: 'p' },
    });
    expect(readdirSync(directory)).to.deep.equal([]);
  });

  it('may have the field anywhere, and its slashes escaped', async () => {
    const data = Buffer.from([255, 255, 255, 255]).toString('base64');
    const { status } = await post(
      `{"passphrase":"\\"data\\": 1", "data" :\n"${data.replaceAll('/', '\\/')}" ,"name":"n"}`,
    );
    expect(status).to.equal(201);
  });

  it('is validated like any other', async () => {
    expect(await errorOf({ data: base64('x') })).to.deep.equal([400, '/body/name']);
    expect(await errorOf({ name: 'n' })).to.deep.equal([400, '/body/data']);
    expect(await errorOf({ name: 'n', data: '' })).to.deep.equal([400, '/body/data']);
    expect(await errorOf({ name: 'n', data: 7 })).to.deep.equal([400, '/body/data']);
    expect(await errorOf(`{"name":"n","data":"${base64('x')}"`)).to.deep.equal([400, 'bad-request']);
    expect(await errorOf('')).to.deep.equal([400, '/body']);
    const named = await post({ name: 'n', data: base64('x'), other: 1 });
    expect(named.headers['x-service-unknown-fields']).to.equal('other');
  });

  it('is refused when the field is not base64, or is repeated', async () => {
    for (const data of ['x', '====', 'QUJ=QUJD', 'QUJD QUJD', 'QUJD\\u0041BCD', 'QUJ-', 'QQ'])
      expect(await errorOf(`{"name":"n","data":"${data}"}`), data).to.deep.equal([400, '/body/data']);
    const twice = `{"name":"n","data":"${base64('a')}","data":"${base64('b')}"}`;
    expect(await errorOf(twice)).to.deep.equal([400, '/body/data']);
  });

  it('may not be large in any other field', async () => {
    const { status, json } = await post({
      name: 'n',
      data: base64('x'),
      passphrase: 'p'.repeat(2 * 1024 * 1024),
    });
    expect([status, json.type]).to.deep.equal([400, `${errorsBase}/bad-request`]);
  });

  it('is refused before it is sent if its declared length is too large', async () => {
    const sent = send({
      port: api.port,
      method: 'POST',
      path: '/v1/profiles/import',
      headers: {
        authorization: 'Bearer good',
        'content-type': 'application/json',
        'content-length': String(400 * 1024 * 1024),
      },
    });
    sent.flushHeaders();
    const [response] = (await once(sent, 'response')) as [{ statusCode: number; resume: () => void }];
    expect(response.statusCode).to.equal(409);
    sent.destroy();
  });

  it('is refused once it exceeds the limit, whatever length it declared', async () => {
    const before = process.memoryUsage().rss;
    const sent = send({
      port: api.port,
      method: 'POST',
      path: '/v1/profiles/import',
      headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
    });
    const answered = once(sent, 'response') as Promise<[AsyncIterable<Buffer> & { statusCode: number }]>;
    const state = { isAnswered: false };
    void answered.then(() => (state.isAnswered = true));
    sent.write('{"name":"n","data":"');
    const piece = Buffer.alloc(3 * 1024 * 1024, 'A');
    for (let left = 2 * largestState; left > 0 && !state.isAnswered; left -= piece.length)
      if (!sent.write(piece)) await Promise.race([once(sent, 'drain'), answered]);
    const [response] = await answered;
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const problem = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    expect(problem).to.deep.include({
      type: `${errorsBase}/storage-quota-exceeded`,
      status: 409,
      tier: 'team',
    });
    expect(problem.cap_bytes).to.equal(largestState);
    expect(problem.used_bytes).to.be.greaterThan(largestState);
    sent.destroy();
    // Sender and receiver are the same process.
    expect(process.memoryUsage().rss - before).to.be.lessThan(200 * 1024 * 1024);
    expect(readdirSync(directory)).to.deep.equal([]);
  });

  it('is refused while the account has two uploads in progress, and accepted after that', async () => {
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const body = { name: 'n', data: base64('x') };
    const first = [post(body), post(body)];
    await until(() => begun === 2);
    const refused = await post(body);
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([503, '5']);
    open();
    await Promise.all(first);
    await until(async () => (await post(body)).status === 201);
  });

  it('is accepted from everybody while a few accounts send theirs slowly', async () => {
    const headers = { 'content-type': 'application/json', expect: '100-continue' };
    const begin = async (digit: number) => {
      const sent = send({
        ...{ port: api.port, method: 'POST', path: '/v1/profiles/import', agent: false },
        headers: { ...headers, authorization: `Bearer ${digit}` },
      });
      sent.on('error', () => undefined).flushHeaders();
      await once(sent, 'continue');
      sent.write('{"name":"n","data":"QUJD');
      return sent;
    };
    const slow = await Promise.all([1, 1, 2, 2, 3, 3, 4, 4, 5, 5].map(begin));
    await until(() => openFiles(directory) === slow.length);
    expect((await post({ name: 'n', data: base64('x') })).status).to.equal(201);
    slow.forEach((each) => each.destroy());
  });
});

/** Unlinked files of the directory that this process has open. */
const openFiles = (directory: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(`${directory}/`);
    } catch {
      return false;
    }
  }).length;

describe('A field that is extracted from a body', () => {
  it('is in one piece per chunk, and holds nobody up, if all of it is escaped', () => {
    const splitter = new FieldSplitter('data');
    splitter.push(Buffer.from('{"data":"'));
    const chunk = Buffer.from('\\/'.repeat(512 * 1024));
    const before = process.cpuUsage();
    const found = splitter.push(chunk);
    expect(found.map(String)).to.deep.equal(['/'.repeat(512 * 1024)]);
    expect(process.cpuUsage(before).user).to.be.below(1_000_000);
  });

  const tail = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });

  it('has the same bytes, and leaves the same rest, however the text is divided into chunks', () => {
    fc.assert(
      fc.property(tail, fc.string(), tail, fc.integer({ min: 1, max: 9 }), (before, value, after, size) => {
        const data = Buffer.from(value).toString('base64');
        const strip = (fields: object) => JSON.stringify({ ...fields, data: undefined }).slice(1, -1);
        const parts = [strip(before), `"data":"${data}"`, strip(after)].filter((part) => part !== '');
        const text = Buffer.from(`{${parts.join(' ,')}}`);
        const splitter = new FieldSplitter('data');
        const found: Buffer[] = [];
        for (let at = 0; at < text.length; at += size)
          found.push(...splitter.push(text.subarray(at, at + size)));
        expect(Buffer.concat(found).toString()).to.equal(data);
        const whole = JSON.parse(text.toString()) as Record<string, unknown>;
        expect(JSON.parse(splitter.rest().toString())).to.deep.equal({
          ...whole,
          data: data === '' ? '' : 'x',
        });
        expect(splitter.count).to.equal(1);
      }),
    );
  });
});
