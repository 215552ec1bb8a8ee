import { expect } from 'chai';
import { canBeRead, refreshes, usePages } from './pages.ts';

describe('the page of the console about the audit log', function () {
  this.timeout(240_000);
  const pages = usePages();

  it('verifies the log in the browser, and finds what was changed on the way', async () => {
    const { api } = pages.person;
    for (const name of ['first', 'second']) await api.keys.create({ name });
    const page = await pages.open();
    await page.goto('/console/audit');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText(/^All \d+ entries are valid\.$/).waitFor();
    await page.getByText(/^The head of \d+ entries matches the one signed by /).waitFor();

    await page.route('**/audit-log/export?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        body: (await response.text()).replace('api_key.created', 'api_key.revoked'),
      });
    });
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText(/^Entry \d+ is not valid\. /).waitFor();
    await page.unroute('**/audit-log/export?*');
  });

  it('leads from an entry to its request, and narrows by action', async () => {
    const page = await pages.open();
    await page.goto('/console/audit?action=api_key.created');
    const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
    await rows.first().waitFor();
    for (const row of await rows.all()) expect(await row.innerText()).to.include('api_key.created');
    expect(await rows.first().getByRole('link').first().getAttribute('href')).to.match(
      /\/console\/requests\/req_/,
    );
  });

  it('keeps the half of a filter that is typed while the list is refreshed', async () => {
    const page = await pages.open();
    await page.goto('/console/audit');
    const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
    await rows.first().waitFor();
    const field = page.getByLabel('Action');
    await field.pressSequentially('api_key');
    const isRefreshed = page.waitForResponse('**/v1/account/audit-log?*');
    await pages.person.api.keys.create({ name: 'made meanwhile' });
    await refreshes(page);
    await isRefreshed;
    await page.getByRole('button', { name: /^\d+ new$/ }).waitFor();
    await field.pressSequentially('.created');
    await field.press('Enter');
    await page.waitForURL('**/audit?action=api_key.created');
  });

  canBeRead(pages, [
    {
      name: 'audit',
      path: '/audit',
      until: (page) => page.getByRole('table', { name: 'Audit log' }).waitFor(),
    },
  ]);
});
