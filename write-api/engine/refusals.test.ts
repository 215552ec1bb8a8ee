import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { problems } from '../../contracts/problems.ts';
import { routes, type Route } from '../../contracts/routes/index.ts';
import { issueApiKey } from '../../infra/keys/index.ts';
import { needsEmbeddedStore, until } from '../../infra/verification/testbed/index.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

const slug = ({ json }: { json: Record<string, unknown> }) => String(json.type).split('/').at(-1);
const everyRoute: readonly Route[] = routes;
/** Routes with a credential. */
const writeRoutes = everyRoute.filter(({ side, scopes }) => side === 'write' && scopes !== null);
const target = ({ method, path }: { method: string; path: string }, id = `ses_${randomUUID()}`) =>
  `${method} ${path.replace('{id}', id)}`;

describe('refusals of the write side', () => {
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ enforceRates: true });
  });
  after(() => side.close());

  it('distinguish a missing or malformed header from a malformed or unknown key', async () => {
    const route = 'DELETE /v1/sessions/ses_x';
    const { token } = await side.staff.account('team');
    const headers: [Record<string, string>, string][] = [
      [{}, 'unauthorized'],
      [{ authorization: 'Basic abc' }, 'unauthorized'],
      [{ authorization: 'Bearer' }, 'unauthorized'],
      [{ authorization: 'Bearer a b' }, 'unauthorized'],
      [{ authorization: 'Bearer nonsense' }, 'invalid-key'],
      [{ authorization: `Bearer ${token.slice(0, -1)}` }, 'invalid-key'],
      [{ authorization: `Bearer ${issueApiKey().text}` }, 'invalid-key'],
      [{ authorization: `bearer ${token}` }, 'not-found'],
    ];
    for (const [header, expected] of headers)
      expect(slug(await side.call(route, { token: null, headers: header })), JSON.stringify(header)).to.equal(
        expected,
      );
  });

  it('ask every route for its credential before anything else', async () => {
    const answers = await Promise.all(
      writeRoutes.map((route) => side.call(target(route, 'nonsense'), { token: null, body: '{not json' })),
    );
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([401]));
  });

  it('report a suspended account before scope, rate, existence and validation', async () => {
    const { accountId } = await side.staff.account('team');
    const token = await side.staff.token(accountId, ['read']);
    await side.staff.accounts.suspend(accountId, 'unpaid', side.staff.context());
    for (const route of writeRoutes.filter(({ ungated }) => !ungated)) {
      const answer = await side.call(target(route), { token, body: '{not json' });
      expect([answer.status, slug(answer)], route.id).to.deep.equal([403, 'forbidden']);
      expect(answer.text).to.contain('suspended');
    }
  });

  it('ask for a scope of the table before existence and validation, and for no more than one', async () => {
    const { accountId } = await side.staff.account('enterprise');
    for (const scope of ['read', 'write', 'read:sessions', 'write:sessions', 'account_owner'] as const) {
      const token = await side.staff.token(accountId, [scope]);
      for (const route of writeRoutes) {
        const answer = await side.call(target(route), { token, body: '{not json' });
        const takesKeys = route.credentials?.includes('api_key') ?? true;
        const allowed = takesKeys && route.scopes?.some((each) => each === scope);
        expect(slug(answer) === 'forbidden', `${route.id} by ${scope}`).to.equal(!allowed);
      }
    }
  });

  it('find an empty bucket before what does not exist, and have Retry-After', async () => {
    const { token } = await side.staff.account('free');
    const route = `DELETE /v1/sessions/ses_${randomUUID()}`;
    const answers = [];
    // A token refilled meanwhile admits one more.
    while (answers.length < 60 && answers.map(slug).at(-1) !== 'rate-limited')
      answers.push(await side.call(route, { token }));
    const last = answers.pop();
    expect(answers).to.have.length.of.at.least(30);
    expect(new Set(answers.map(slug))).to.deep.equal(new Set(['not-found']));
    expect(last?.json).to.include({ type: 'https://errors.example/rate-limited' });
    expect(last?.headers['retry-after']).to.equal(String(last?.json.retry_after_seconds));
  });

  it('count tests of webhooks in a bucket of their own, before it is looked whether there is one', async () => {
    const { token } = await side.staff.account('enterprise');
    const answers = [];
    for (let n = 0; n < 6; n += 1)
      answers.push(await side.call('POST /v1/webhooks/nonsense/test', { token }));
    expect(answers.map(slug)).to.deep.equal([...Array<string>(5).fill('not-found'), 'rate-limited']);
    expect(slug(await side.call('POST /v1/webhooks/nonsense/rotate-secret', { token }))).to.equal(
      'not-found',
    );
  });

  it('find what does not exist before the body is validated, for any owner', async () => {
    const [mine, theirs] = [await side.staff.account('team'), await side.staff.account('team')];
    const created = await side.call('POST /v1/sessions', { token: theirs.token, body: {} });
    for (const id of [String(created.json.id), `ses_${randomUUID()}`, 'nonsense']) {
      const answer = await side.call(`POST /v1/sessions/${id}/navigate`, {
        token: mine.token,
        body: { url: 7 },
      });
      expect([answer.status, answer.json.detail], id).to.deep.equal([404, problems['not-found'].detail]);
    }
  });

  it('look at the body before the state of the session', async () => {
    const { token } = await side.staff.account('team');
    const { json } = await side.call('POST /v1/sessions', { token, body: {} });
    await side.call(`DELETE /v1/sessions/${String(json.id)}`, { token });
    const navigate = (body: object) =>
      side.call(`POST /v1/sessions/${String(json.id)}/navigate`, { token, body });
    expect(slug(await navigate({ url: 7 }))).to.equal('validation-failed');
    expect(slug(await navigate({ url: 'http://sim.test/' }))).to.equal('session-destroyed');
  });

  it('look at the body before the tier', async () => {
    const { token } = await side.staff.account('free');
    const create = (body: object) => side.call('POST /v1/api-keys', { token, body });
    expect(slug(await create({ name: '' }))).to.equal('validation-failed');
    expect(slug(await create({ name: 'mine' }))).to.equal('forbidden');
  });
});

describe('the write side without its event store', () => {
  it('answers 503 with Retry-After, and serves again once it is back', async () => {
    needsEmbeddedStore();
    const side = await startWriteSide({ storeDeadlineMs: 1500 });
    const { token } = await side.staff.account('team');
    const create = () => side.call('POST /v1/sessions', { token, body: {} });
    expect((await create()).status).to.equal(201);
    await side.stopStore();
    const answer = await create();
    expect([answer.status, slug(answer)]).to.deep.equal([503, 'feature-unavailable']);
    expect(Number(answer.headers['retry-after'])).to.be.at.least(1);
    await side.startStore();
    await until(async () => (await create()).status === 201);
    await side.close();
  });
});
