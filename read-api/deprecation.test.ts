import { expect } from 'chai';
import { uuidOf, type AccountId } from '../contracts/ids.ts';
import { recordedUses } from '../infra/ephemeral/index.ts';
import { until } from '../infra/verification/testbed/index.ts';
import { startReadApi, type ReadApi } from './testing.ts';

describe('GET /v1/account/deprecations', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi();
    api.project();
  });
  after(() => api.close());

  const used = (accountId: AccountId, deprecationId: string, day: string) =>
    api.write(accountId, `deprecated_use-${uuidOf(accountId)}`, [
      { type: 'DeprecationUsed', data: { accountId, deprecationId, day, at: `${day}T12:00:00.000Z` } },
    ]);
  const shown = async (token: string) =>
    (await api.call('GET /v1/account/deprecations', { token })).json.data as readonly object[];

  it('is empty for an account that uses nothing of what will go away', async () => {
    const { key } = await api.addAccount();
    expect(await shown(key.text)).to.deep.equal([]);
  });

  it('says what the account has used, since when, and what takes its place', async () => {
    const { account, key } = await api.addAccount();
    const other = await api.addAccount();
    await used(account, 'account-usage', '2026-12-01');
    await used(account, 'account-usage', '2026-12-03');
    await used(account, 'gone-long-ago', '2026-12-03');
    expect(await shown(key.text)).to.deep.equal([
      {
        ...{ id: 'account-usage', route: 'GET /v1/account/usage', field: null, replacement: 'GET /v1/usage' },
        ...{ announced: '2026-11-22', sunset: '2027-06-01' },
        ...{ first_used: '2026-12-01', last_used: '2026-12-03', days_used: 2 },
      },
    ]);
    expect(await shown(other.key.text)).to.deep.equal([]);
  });

  it('comes of calling a route that is deprecated, which says so', async () => {
    const { account, key } = await api.addAccount();
    const { status, headers } = await api.call('GET /v1/account/usage', { token: key.text });
    expect(status).to.equal(200);
    expect(headers).to.include({ sunset: 'Tue, 01 Jun 2027 00:00:00 GMT' });
    expect(headers.link).to.contain('</v1/usage>; rel="successor-version"');
    const mine = async () =>
      (await recordedUses(api.postgres.pool, 500)).filter(({ accountId }) => accountId === account);
    await until(async () => (await mine()).length === 1);
    expect((await mine())[0]).to.include({ deprecationId: 'account-usage' });
  });
});
