import { expect } from 'chai';
import { hourMs } from '../contracts/durations.ts';
import { uuidOf } from '../contracts/ids.ts';
import { until } from '../infra/verification/testbed/index.ts';
import { at } from '../projections/testing/index.ts';
import { startReadApi, type ReadApi } from './testing.ts';

describe('a read of the billing by card', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi();
    api.project();
  });
  after(() => api.close());

  for (const [when, ms] of [
    ['an hour ago', -hourMs],
    ['by a clock that was an hour ahead and was set back since', hourMs],
  ] as const)
    it(`requests a check if the last one was made ${when}`, async () => {
      const { account, key } = await api.addAccount();
      const created = { type: 'CardCustomerCreated', data: { accountId: account, customerId: 'cus_1', at } };
      await api.write(account, `subscription-${uuidOf(account)}`, [created]);
      await api.rows(
        'insert into ephemeral.card_checks (account_id, asked_at, answered_at) values ($1, $2, $2)',
        [account, new Date(Date.parse(at) + ms)],
      );
      expect((await api.call('GET /v1/billing', { token: key.text })).status).to.equal(200);
      const wanted = 'select 1 from ephemeral.card_checks where account_id = $1 and wanted_at = $2';
      await until(async () => (await api.rows(wanted, [account, new Date(at)])).length === 1);
    });
});
