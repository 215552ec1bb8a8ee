import { once } from 'node:events';
import { request as send, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { largeBodyBytes } from '../../contracts/route.ts';
import { until } from '../verification/testbed/index.ts';
import { errorsBase, owner, startApi } from './testing.ts';

const path = '/v1/agent-sessions/agt_33333333-3333-4333-8333-333333333333/cookies/set';
const mebibyte = 1024 * 1024;
const ofAccount = (digits: string) =>
  toId('account', `${digits.padStart(8, '0')}-1111-4111-8111-111111111111`);
/** A body with one cookie of this many letters. */
const bodyOf = (letters: number) => ({
  cookies: [{ domain: 'a.test', name: 'a', value: 'x'.repeat(letters) }],
});

describe('A body that may be larger than usual', () => {
  let api: Awaited<ReturnType<typeof startApi<'write'>>>;
  /** Handlers wait for it before they answer. */
  let gate: Promise<void>;
  let begun: number;
  before(async () => {
    api = await startApi('write', {
      // `Bearer 7`: the account whose id begins with `00000007`.
      authenticate: async (request) => {
        const [, digits] = /^Bearer (\d+)$/.exec(request.header('authorization') ?? '') ?? [];
        if (digits === undefined) throw refuse('unauthorized');
        return { ...owner, accountId: ofAccount(digits), actorId: ofAccount(digits) };
      },
      handlers: {
        'agent-sessions.cookies-set': {
          run: async ({ body }) => {
            begun += 1;
            await gate;
            return { body: { status: 'ok' as const, reason: String(body.cookies[0]?.value.length) } };
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

  const post = (body: unknown, token = '1') => api.call(`POST ${path}`, { body, token });
  const refusal = async (body: unknown) => {
    const { status, json } = await post(body);
    return [status, String(json.type).replace(`${errorsBase}/`, ''), json.detail];
  };
  /** A request of which only the head is sent. */
  const open = (headers: Record<string, string>) =>
    send({
      port: api.port,
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', ...headers },
    });

  it('is read up to its own limit, which the refusal of a larger one names', async () => {
    const fits = largeBodyBytes - JSON.stringify(bodyOf(0)).length;
    const { status, json } = await post(bodyOf(fits));
    expect([status, json.reason]).to.deep.equal([200, String(fits)]);
    const said = `The body may have at most ${largeBodyBytes} bytes.`;
    expect(await refusal(bodyOf(fits + 1))).to.deep.equal([400, 'bad-request', said]);
  });

  it('declares its length, unless it is as small as any', async () => {
    for (const [letters, expected] of [
      [10, 200],
      [mebibyte, 400],
    ] as const) {
      const sent = open({ authorization: 'Bearer 1', 'transfer-encoding': 'chunked' });
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
      sent.end(JSON.stringify(bodyOf(letters)));
      const [response] = await answered;
      const chunks: Buffer[] = [];
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
      expect(response.statusCode).to.equal(expected);
      if (expected === 400) expect(Buffer.concat(chunks).toString()).to.contain('without a Content-Length');
    }
  });

  it('has no more outside of strings than any body, since that takes many times as much memory', async () => {
    const many = Array.from({ length: mebibyte / 4 }, () => ({}));
    const said = `The body may have at most ${mebibyte} bytes outside of strings.`;
    const refused = await refusal({ ...bodyOf(mebibyte), many: [...many, ...many] });
    expect(refused).to.deep.equal([400, 'bad-request', said]);
    const quoted = '"{},\\'.repeat(mebibyte / 4);
    expect((await post({ ...bodyOf(1), quoted, many })).status).to.equal(200);
  });

  it('is not read before its sender is admitted', async () => {
    const sent = open({ 'content-length': String(largeBodyBytes) });
    sent.flushHeaders();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).to.equal(401);
    sent.destroy();
  });

  it('is refused while the account has one in progress, or the process three; others are not', async () => {
    let release: () => void = () => undefined;
    gate = new Promise((resolve) => (release = resolve));
    const [large, small] = [bodyOf(2 * mebibyte), bodyOf(1)];
    const inProgress = [post(large, '1')];
    await until(() => begun === 1);
    const refused = await post(large, '1');
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([503, '5']);
    inProgress.push(post(small, '1'), post(large, '2'), post(large, '3'));
    await until(() => begun === 4);
    expect((await post(large, '4')).status).to.equal(503);
    release();
    expect((await Promise.all(inProgress)).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect((await post(large, '1')).status).to.equal(200);
  });

  it('takes none of the three places before it is complete', async () => {
    const text = JSON.stringify(bodyOf(2 * mebibyte));
    const unfinished = ['1', '2', '3'].map((digit) => {
      const sent = open({ authorization: `Bearer ${digit}`, 'content-length': String(text.length) });
      sent.write(text.slice(0, -1));
      return { sent, answered: once(sent, 'response') as Promise<[IncomingMessage]> };
    });
    // Its account has one in progress once it is being received.
    for (const digit of ['1', '2', '3'])
      await until(async () => (await post(bodyOf(2 * mebibyte), digit)).status === 503);
    expect((await post(bodyOf(2 * mebibyte), '4')).status).to.equal(200);
    for (const { sent, answered } of unfinished) {
      sent.end(text.slice(-1));
      const [response] = await answered;
      response.resume();
      expect(response.statusCode).to.equal(200);
    }
  });

  it('is refused while the process receives 64, which take a gibibyte of its disk', async () => {
    const unfinished = Array.from({ length: 64 }, (_, n) => {
      const sent = open({ authorization: `Bearer ${n + 100}`, 'content-length': String(2 * mebibyte) });
      sent.on('error', () => undefined);
      sent.write('{');
      return sent;
    });
    const status = async () => (await post(bodyOf(2 * mebibyte), '1')).status;
    await until(async () => (await status()) === 503);
    unfinished[0]?.destroy();
    await until(async () => (await status()) === 200);
    for (const sent of unfinished) sent.destroy();
  });

  it('leaves room for the next when its client leaves', async () => {
    const sent = open({ authorization: 'Bearer 1', 'content-length': String(2 * mebibyte) });
    sent.on('error', () => undefined);
    sent.write('{');
    await until(async () => (await post(bodyOf(2 * mebibyte))).status === 503);
    sent.destroy();
    await until(async () => (await post(bodyOf(2 * mebibyte))).status === 200);
  });

  it('leaves room for the next when it is refused', async () => {
    const wrong = { cookies: 'x'.repeat(2 * mebibyte) };
    expect((await refusal(wrong))[0]).to.equal(400);
    expect((await refusal(`${JSON.stringify(bodyOf(2 * mebibyte))}x`))[0]).to.equal(400);
    expect((await post(bodyOf(2 * mebibyte))).status).to.equal(200);
  });
});
