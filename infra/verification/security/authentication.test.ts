import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { randomBase62, toBase62 } from '../../keys/base62.ts';
import { issueApiKey } from '../../keys/index.ts';
import { guarded, soundBodies, targetOf } from './attacks.ts';
import { outcomeOf, startWholeService, type WholeService } from './whole-service.ts';

/** Positions in a key where its marker and id end and its secret begins. */
const idEnds = 'svc_live_'.length + 22;

describe('invalid keys', function () {
  this.timeout(180_000);
  let service: WholeService;
  before(async () => {
    service = await startWholeService();
  });
  after(() => service.close());

  it('are refused on every route with the reason of the contract, and none of them changes anything', async () => {
    const { accountId, token, apiKeyId } = await service.staff.account('enterprise');
    const owner = await service.staff.token(accountId, ['account_owner']);
    await service.call(`DELETE /v1/api-keys/${apiKeyId}`, { token: owner });
    const refused: [string, string | null, string][] = [
      ['none', null, 'unauthorized'],
      ['revoked', token, 'revoked-key'],
      ['truncated', owner.slice(0, -1), 'invalid-key'],
      ['lengthened', `${owner}0`, 'invalid-key'],
      ['of a wrong checksum', owner.slice(0, -1) + (owner.endsWith('0') ? '1' : '0'), 'invalid-key'],
      ['of another environment', owner.replace('svc_live_', 'svc_test_'), 'invalid-key'],
      ['with another secret', forged(owner), 'invalid-key'],
      ['never issued', issueApiKey().text, 'invalid-key'],
      ['an id', apiKeyId, 'invalid-key'],
      ['very long', 'k'.repeat(8_000), 'invalid-key'],
    ];
    await service.caughtUp();
    const head = await service.store.head();
    for (const route of guarded) {
      for (const [name, key, slug] of refused) {
        const answer = await service.call(targetOf(route), { token: key, body: soundBodies[route.id] });
        expect([answer.status, outcomeOf(answer)], `${name}: ${route.id}`).to.deep.equal([401, slug]);
      }
    }
    expect(await service.store.head()).to.deep.equal(head);
  });

  it('get the same answer whether their id exists or not', async () => {
    const { token } = await service.staff.account('team');
    await service.caughtUp();
    const answers = await Promise.all(
      guarded.flatMap((route) =>
        [forged(token), issueApiKey().text].map(async (key) => {
          const { status, json } = await service.call(targetOf(route), { token: key });
          return JSON.stringify({ status, ...json, instance: '' });
        }),
      ),
    );
    expect(new Set(answers)).to.have.length(1);
  });
});

/** Well formed, with the id of an existing key and a wrong secret. */
function forged(token: string): string {
  const body = token.slice(0, idEnds) + randomBase62(32);
  return body + toBase62(BigInt(crc32(body)), 6);
}

describe('an address that tries keys', function () {
  this.timeout(180_000);
  let service: WholeService;
  const streamsRead: string[] = [];
  before(async () => {
    service = await startWholeService({
      enforceRates: true,
      throughStore: (store) => ({
        ...store,
        readStream: (stream, options) => {
          streamsRead.push(stream);
          return store.readStream(stream, options);
        },
      }),
    });
  });
  after(() => service.close());

  for (const target of ['DELETE /v1/sessions/nonsense', 'GET /v1/sessions']) {
    it(`gets 429 after thirty refusals by ${target}, without an effect on keys in use`, async () => {
      const { token, accountId } = await service.staff.account('team');
      const call = (key: string | null) => service.call(target, { token: key });
      await service.caughtUp();
      const welcome = outcomeOf(await call(token));
      const tries = [];
      for (let n = 0; n < 31; n += 1) tries.push(await call(n % 2 === 0 ? 'nonsense' : forged(token)));
      expect(tries.slice(0, 30).map(outcomeOf)).to.deep.equal(Array<string>(30).fill('invalid-key'));
      const last = tries[30];
      expect(last?.json).to.include({ status: 429, type: 'https://errors.example/rate-limited' });
      expect(last?.headers['retry-after']).to.equal(String(last?.json.retry_after_seconds));

      streamsRead.length = 0;
      expect(outcomeOf(await call(issueApiKey().text))).to.equal('rate-limited');
      expect(streamsRead.filter((stream) => stream.startsWith('api_key-'))).to.deep.equal([]);
      expect(outcomeOf(await call(token))).to.equal(welcome);
      expect(outcomeOf(await call(null))).to.equal('unauthorized');
      expect(outcomeOf(await call(await service.staff.token(accountId, ['read'])))).to.equal('rate-limited');
    });
  }
});
