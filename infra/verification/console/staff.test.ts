import { expect } from 'chai';
import { usePages } from './pages.ts';

describe('the console of an account that staff has acted on', function () {
  this.timeout(240_000);
  const pages = usePages();

  it('lists the sign-in link that staff has made in the audit log', async () => {
    const page = await pages.open();
    await page.goto('/console/audit?action=auth.link_requested');
    const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
    await rows.filter({ hasText: 'staff' }).waitFor();
  });

  it('says why it is suspended', async () => {
    const somebody = await pages.somebody('free');
    const [of, why] = [somebody.account.account_id, 'The card was stolen.'];
    const suspended = await pages.stack.service('account', 'suspend', '--account', of, '--reason', why);
    expect(suspended.status, suspended.stderr).to.equal(0);
    const page = await pages.open({ as: somebody });
    await page.goto('/console/settings');
    await page.getByRole('status').filter({ hasText: why }).waitFor();
  });
});
