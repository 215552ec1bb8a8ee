import { expect } from 'chai';
import { canBeRead, usePages } from './pages.ts';

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

  canBeRead(pages, [
    {
      name: 'audit',
      path: '/audit',
      until: (page) => page.getByRole('table', { name: 'Audit log' }).waitFor(),
    },
  ]);
});
