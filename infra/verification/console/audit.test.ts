import { expect } from 'chai';
import { canBeRead, refreshes, savedBy, signInByKey, usePages } from './pages.ts';

const labels = { jsonl: 'Export as JSON lines', csv: 'Export as CSV' } as const;

/** Another letter in the middle of the signature. */
function forged(note: string): string {
  const at = note.length - 20;
  return `${note.slice(0, at)}${note[at] === 'A' ? 'B' : 'A'}${note.slice(at + 1)}`;
}

function unavailable(detail: string) {
  const problem = { type: 'https://errors.example/feature-unavailable', title: 'Feature unavailable' };
  return {
    ...{ status: 503, contentType: 'application/problem+json' },
    body: JSON.stringify({ ...problem, status: 503, detail }),
  };
}

describe('the page of the console about the audit log', function () {
  this.timeout(240_000);
  const pages = usePages();

  it('verifies the log in the browser, and finds entries that were changed in transit', async () => {
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

  it('verifies the entries even if the signed head is forged or missing, and shows what is wrong with it', async () => {
    const page = await pages.open({ as: await pages.somebody() });
    await page.goto('/console/audit');
    const checkpoint = '**/audit-log/checkpoint';
    await page.route(checkpoint, async (route) => {
      const response = await route.fetch();
      const { checkpoint: note, ...others } = (await response.json()) as { checkpoint: string };
      await route.fulfill({ response, json: { ...others, checkpoint: forged(note) } });
    });
    const verifies = async (head: RegExp) => {
      await page.getByRole('button', { name: 'Verify' }).click();
      await page.locator('.status.bad').filter({ hasText: head }).waitFor();
      await page
        .locator('.status.good')
        .filter({ hasText: /^All \d+ entries are valid\.$/ })
        .waitFor();
      expect(await page.getByText(/^The head of/).count()).to.equal(0);
      expect(await page.getByText('The console has failed').count()).to.equal(0);
    };
    await verifies(/^The signed head is not valid\. The signature of .+ is not valid\.$/);
    await page.unroute(checkpoint);
    await page.route(checkpoint, (route) => route.fulfill(unavailable('It cannot be signed.')));
    await verifies(/^There is no signed head\. It cannot be signed\.$/);
  });

  it('shows why the place in the public tree could not be read', async () => {
    const page = await pages.open();
    await page.route('**/audit-log/anchor', (route) => route.fulfill(unavailable('It is behind.')));
    await page.goto('/console/audit');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The public tree was not checked. It is behind.').waitFor();
    expect(await page.getByText('The account is not in the public tree yet.').count()).to.equal(0);
  });

  for (const format of ['jsonl', 'csv'] as const)
    it(`saves all entries that match its filter as ${format}, also with an API key`, async () => {
      const { api, account } = await pages.somebody();
      for (const name of ['first', 'second', 'third']) await api.keys.create({ name });
      const expected = await api.auditLog.export({ format, action: 'api_key.created' });
      const page = await pages.open({ as: null });
      await signInByKey(page, account.api_key);
      // The service gives 10,000 entries at once.
      await page.route('**/audit-log/export?*', (route) =>
        route.continue({ url: `${route.request().url()}&limit=2` }),
      );
      await page.goto('/console/audit?action=api_key.created');
      await page.getByRole('table', { name: 'Audit log' }).waitFor();
      const { name, bytes } = await savedBy(page, labels[format]);
      expect(name).to.equal(`audit-log.${format}`);
      expect(bytes.toString()).to.equal(expected);
      expect(expected.match(/api_key\.created/g)).to.have.length.above(2);
    });

  it('shows the whole log if a date in the address is invalid', async () => {
    const page = await pages.open();
    await page.goto('/console/audit?since=x&until=2020-13-45');
    await page.getByRole('table', { name: 'Audit log' }).locator('tbody tr').first().waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
  });

  it('links an entry to its request, and filters by action', async () => {
    const page = await pages.open();
    await page.goto('/console/audit?action=api_key.created');
    const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
    await rows.first().waitFor();
    for (const row of await rows.all()) expect(await row.innerText()).to.include('api_key.created');
    expect(await rows.first().getByRole('link').first().getAttribute('href')).to.match(
      /\/console\/requests\/req_/,
    );
  });

  it('filters by who acted, in an address that survives a reload, and exports what the filter allows', async () => {
    const person = await pages.somebody();
    const { api, account } = person;
    const { id: target } = await api.keys.create({ name: 'by the owner' });
    const [made] = (await api.auditLog.list({ action: 'api_key.created' }).byPage().next()).value?.data ?? [];
    const page = await pages.open({ as: person });
    await page.goto('/console/audit');
    const actors = page.getByRole('combobox', { name: 'By', exact: true });
    const rows = page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
    const row = rows.filter({ has: page.getByTitle(target) });
    await row.waitFor();
    expect(await actors.locator('option').allTextContents()).to.deep.equal([
      'All',
      'the owner',
      'the service',
    ]);

    await actors.selectOption('the service');
    await page.waitForURL('**/audit?actor=system');
    await row.waitFor({ state: 'detached' });
    await actors.selectOption('the owner');
    await page.waitForURL(`**/audit?actor=${account.account_id}`);
    await page.reload();
    await row.waitFor();
    expect(await actors.inputValue()).to.equal(account.account_id);
    const { bytes } = await savedBy(page, labels.jsonl);
    const expected = await api.auditLog.export({ format: 'jsonl', actor: account.account_id });
    expect(bytes.toString()).to.equal(expected).and.include(made?.id);
  });

  it('keeps an actor of the address that is no person of the team, such as a key', async () => {
    const actor = 'key_00000000-0000-7000-8000-000000000000';
    const page = await pages.open();
    await page.goto(`/console/audit?actor=${actor}`);
    await page.getByText('None matches the filter.').waitFor();
    expect(await page.getByRole('combobox', { name: 'By', exact: true }).inputValue()).to.equal(actor);
  });

  it('keeps a half-typed filter while the list is refreshed', async () => {
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
