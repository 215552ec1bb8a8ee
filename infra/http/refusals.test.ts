import { expect } from 'chai';
import { refuse } from '../../contracts/problems.ts';
import { bucketSizes } from '../../contracts/rate-buckets.ts';
import { routes, type Route } from '../../contracts/routes/index.ts';
import { errorsBase, owner, startApi, stranger } from './testing.ts';
import { handlerWithExists, type Handlers, type Identity } from './index.ts';

const id = 'ses_33333333-3333-4333-8333-333333333333';
const table: readonly Route[] = routes;
const target = (route: Route) => `${route.method} ${route.path.replace('{id}', id)}`;
const slugOf = ({ json }: { json: Record<string, unknown> }) =>
  String(json.type).replace(`${errorsBase}/`, '');

const noSuchSession: Handlers<'write', Identity>['sessions.navigate'] = handlerWithExists({
  exists: () => Promise.reject(refuse('not-found')),
  run: async () => ({}),
});

describe('The order of refusals', () => {
  const everythingWrong = { body: '{', headers: { 'X-Service-Account': 'nonsense' } };
  let emptied = true;
  let api: Awaited<ReturnType<typeof startApi<'write'>>>;
  before(async () => {
    api = await startApi('write', {
      handlers: { 'sessions.navigate': noSuchSession },
      limit: async () => {
        if (emptied) throw refuse('rate-limited', undefined, { retry_after_seconds: 7 });
        return { limit: 60, remaining: 59, resetSeconds: 1 };
      },
    });
  });
  beforeEach(() => (emptied = true));
  after(() => api.close());
  const navigate = (options: object) => api.call(`POST /v1/sessions/${id}/navigate`, options);

  it('is credential, suspension, scope, rate, existence, validation', async () => {
    expect(slugOf(await navigate({ ...everythingWrong, token: null }))).to.equal('unauthorized');
    expect(slugOf(await navigate({ ...everythingWrong, token: 'unknown' }))).to.equal('invalid-key');
    expect(slugOf(await navigate({ ...everythingWrong, token: 'suspended' }))).to.equal('forbidden');
    expect(slugOf(await navigate({ ...everythingWrong, token: 'read' }))).to.equal('forbidden');
    expect(slugOf(await navigate(everythingWrong))).to.equal('rate-limited');
    emptied = false;
    expect(slugOf(await navigate({ body: '{' }))).to.equal('not-found');
    expect(slugOf(await api.call(`POST /v1/sessions/${id}/wait`, { body: '{' }))).to.equal('bad-request');
  });

  it('does not wait for a body before it refuses', async () => {
    const { status } = await navigate({
      token: null,
      headers: { 'content-length': '1000000', Expect: '100-continue' },
    });
    expect(status).to.equal(401);
  });

  it('includes the time to wait, in `Retry-After` and in the body', async () => {
    const { headers, json } = await navigate({ body: {} });
    expect(headers['retry-after']).to.equal('7');
    expect(json.retry_after_seconds).to.equal(7);
    expect(headers['ratelimit-policy']).to.equal(
      `"default:write";q=${bucketSizes.team['default:write'].burst}`,
    );
    expect(headers.ratelimit).to.equal('"default:write";r=0;t=7');
  });
});

describe('The authorisation table', () => {
  let write: Awaited<ReturnType<typeof startApi<'write'>>>;
  let read: Awaited<ReturnType<typeof startApi<'read'>>>;
  before(async () => {
    [write, read] = await Promise.all([startApi('write'), startApi('read')]);
  });
  after(() => Promise.all([write.close(), read.close()]));
  const call = (route: Route, options: object) =>
    (route.side === 'write' ? write : read).call(target(route), options);
  const scopes = ['read', 'write', 'read:sessions', 'write:sessions', 'account_owner'] as const;

  for (const route of table.filter((row) => row.scopes !== null)) {
    it(`lets exactly ${route.scopes?.join(', ')} call ${route.id}`, async () => {
      for (const scope of scopes) {
        const { status } = await call(route, { token: scope });
        if (route.scopes?.includes(scope)) expect(status, scope).not.to.be.oneOf([401, 403]);
        else expect(status, scope).to.equal(403);
      }
    });

    it(`${route.accountHeader === 'honored' ? 'honours' : 'ignores'} X-Service-Account on ${route.id}`, async () => {
      const acting = async (account: string) =>
        (await call(route, { headers: { 'X-Service-Account': account } })).status;
      const own = await acting(owner.accountId);
      expect(own).to.equal((await call(route, {})).status);
      expect(await acting(stranger)).to.equal(route.accountHeader === 'honored' ? 404 : own);
      expect(await acting('acc_malformed')).to.equal(route.accountHeader === 'honored' ? 400 : own);
    });
  }

  it('announces the bucket of each route that has one', async () => {
    for (const route of table) {
      const { headers } = await call(route, {});
      const announced = route.bucket === null ? undefined : `"${route.bucket}";r=59;t=1`;
      expect(headers.ratelimit, route.id).to.equal(announced);
    }
  });
});
