import { expect } from 'chai';
import fc from 'fast-check';
import { startApi } from './testing.ts';

describe('x-service-unknown-fields', () => {
  let api: Awaited<ReturnType<typeof startApi<'write'>>>;
  before(async () => {
    api = await startApi('write');
  });
  after(() => api.close());
  const create = (body: unknown) => api.call('POST /v1/sessions', { body });
  const named = async (body: unknown) => (await create(body)).headers['x-service-unknown-fields'];

  it('lists the ignored top-level keys in the order of the body', async () => {
    expect(
      await named('{"zebra":1,"label":"x","10":1,"apple":{"inner":2},"2":[{"deep":3}],"zebra":4}'),
    ).to.equal('zebra,10,apple,2');
  });

  it('is absent when every field was recognised', async () => {
    expect(await named({ label: 'x', metadata: { anything: 1 } })).to.equal(undefined);
    expect(await named({})).to.equal(undefined);
  });

  it('does not affect status and body', async () => {
    const [plain, extra] = [await create({ label: 'x' }), await create({ label: 'x', extra: 1 })];
    expect(extra.status).to.equal(plain.status);
    expect(extra.json.body).to.deep.equal({ label: 'x', extra: 1 });
  });

  it('names at most 10 keys, each cut to 64 characters', async () => {
    const keys = Array.from({ length: 12 }, (_value, index) => `key${index}`);
    expect(await named(Object.fromEntries(keys.map((key) => [key, 1])))).to.equal(
      keys.slice(0, 10).join(','),
    );
    expect(await named({ ['x'.repeat(65)]: 1 })).to.equal('x'.repeat(64));
    expect(await named({ ['😀'.repeat(65)]: 1 })).to.equal('%F0%9F%98%80'.repeat(64));
  });

  it('percent-encodes what could break the header', async () => {
    expect(await named({ 'a,b': 1, é: 1, 'x\r\nSet-Cookie: a=b': 1 })).to.equal(
      'a%2Cb,%C3%A9,x%0D%0ASet-Cookie%3A%20a%3Db',
    );
  });

  it('is sent with refusals too, but never without a valid credential', async () => {
    const refused = await api.call('POST /v1/sessions', { body: { label: 5, extra: 1 } });
    expect([refused.status, refused.headers['x-service-unknown-fields']]).to.deep.equal([400, 'extra']);
    const anonymous = await api.call('POST /v1/sessions', { body: { extra: 1 }, token: null });
    expect(anonymous.headers).not.to.have.property('x-service-unknown-fields');
  });

  it('names every field of a write that declares none, and nothing of a body that is not an object', async () => {
    for (const target of [
      'POST /v1/webhooks/whk_1/rotate-secret',
      'POST /v1/webhooks/whk_1/test',
      'POST /v1/webhook-deliveries/dlv_1/replay',
      'DELETE /v1/sessions/ses_1',
      'DELETE /v1/api-keys/key_1',
      'DELETE /v1/webhooks/whk_1',
    ]) {
      const plain = await api.call(target);
      const sent = async (body: unknown, headers = {}) => {
        const answer = await api.call(target, { body, headers });
        expect([answer.status, answer.text], target).to.deep.equal([plain.status, plain.text]);
        return answer.headers['x-service-unknown-fields'];
      };
      expect(await sent({ grace: 1, 'a,b': 2 }), target).to.equal('grace,a%2Cb');
      expect(await sent({ 'a\ud83d': '\0' }), target).to.equal('a%EF%BF%BD');
      const silent = ['', '{}', '[1]', '"x"', 'null', '{"grace":', `{"x":"${'x'.repeat(1_100_000)}"}`];
      for (const body of silent) expect(await sent(body), target).to.equal(undefined);
      expect(await sent('grace=1', { 'content-type': 'application/x-www-form-urlencoded' })).to.equal(
        undefined,
      );
    }
  });

  it('is only sent for writes', async () => {
    const { headers } = await api.call('GET /v1/sessions/ses_1/state', { body: { extra: 1 } });
    expect(headers).not.to.have.property('x-service-unknown-fields');
  });

  it('takes time proportional to the size of the body, whatever the values', async () => {
    for (const value of [
      'a'.repeat(500_000),
      '\\'.repeat(250_000),
      '"'.repeat(250_000),
      ' '.repeat(500_000),
    ]) {
      expect(await named({ label: 'x', extra: value })).to.equal('extra');
      expect(
        await named(`{"extra":"x"${value.replaceAll(/[^ ]/g, ' ')},"more":[${'"y",'.repeat(50_000)}0]}`),
      ).to.equal('extra,more');
    }
  });

  it('never makes a request fail, whatever the name', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 1 }).filter((key) => !key.includes('\0')),
        async (key) => {
          const { status } = await create(JSON.stringify({ [key]: 1 }));
          expect(status).to.be.oneOf(
            ['label', 'metadata', 'archetype', 'profile_id'].includes(key) ? [201, 400] : [201],
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
