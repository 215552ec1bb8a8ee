import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Billing } from '../../../contracts/resources/card-billing.ts';
import { usePages } from './pages.ts';

const active: Billing = {
  ...{ tier: 'personal', status: 'active', cancel_at_period_end: false, invoices: [] },
  ...{ current_period_end: '2026-02-05T12:00:00.000Z', payment_method: { brand: 'visa', last4: '4242' } },
};

describe('the console’s page about a subscription by card', function () {
  this.timeout(240_000);
  const pages = usePages();

  /** The page of an account with this billing. */
  const shown = async (billing: Billing): Promise<Page> => {
    const page = await pages.open();
    await page.route('**/v1/billing', (route) => route.fulfill({ json: billing }));
    await page.goto('/console/billing');
    await page.getByText('Subscription by card', { exact: true }).waitFor();
    return page;
  };
  const dates = (page: Page) =>
    page
      .getByRole('term')
      .filter({ hasText: /^(Paid until|Renews then|Ends then)$/ })
      .allTextContents();
  const manage = (page: Page) => page.getByRole('button', { name: 'Manage card and invoices' });

  it('lets the owner manage it also without a card', async () => {
    await manage(await shown({ ...active, payment_method: null })).waitFor();
    const page = await shown({ ...active, status: 'none', current_period_end: null, payment_method: null });
    await page.getByRole('button', { name: 'Subscribe by card' }).waitFor();
    expect(await manage(page).count()).to.equal(0);
  });

  for (const [billing, expected] of [
    [{ status: 'active' }, ['Paid until', 'Renews then']],
    [{ status: 'trialing' }, ['Paid until', 'Renews then']],
    [{ cancel_at_period_end: true }, ['Paid until', 'Ends then']],
    [{ status: 'past_due' }, []],
    [{ status: 'unpaid' }, []],
    [{ status: 'canceled' }, []],
  ] as const)
    it(`shows ${expected.join(' and ') || 'no dates'} of one that is ${JSON.stringify(billing)}`, async () => {
      expect(await dates(await shown({ ...active, ...billing }))).to.deep.equal(expected);
    });
});
