import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { canBeRead, hostileTexts, refreshes, showsAsText, usePages } from './pages.ts';

/** Nothing listens there. */
const url = 'http://127.0.0.1:9/hook';

describe('the pages of the console about webhooks', function () {
  this.timeout(240_000);
  const pages = usePages();
  const deliveries = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');

  it('register an endpoint, send it a test, and show why that did not arrive', async () => {
    const page = await pages.open();
    await page.goto('/console/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('https://10.0.0.1/hook');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Address').fill(url);
    await dialog.getByLabel('Description').fill('does not arrive');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    expect(await page.locator('.once pre').innerText()).to.match(/^whsec_/);

    // Another test's endpoint is in the table before.
    const row = page.getByRole('table', { name: 'Webhooks' }).getByRole('row', { name: 'does not arrive' });
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'does not arrive' }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await deliveries(page).first().getByText('test.ping').waitFor();
    await deliveries(page).first().getByText('No connection').waitFor();
    await deliveries(page).first().getByRole('link').click();
    await page.getByRole('heading', { name: 'test.ping' }).waitFor();
    await page.getByRole('table', { name: 'Attempts' }).getByText('No connection').waitFor();
    const sent = await page.locator('pre').innerText();
    const [head = '', body = ''] = sent.split('\n\n');
    expect(head.split('\n').slice(0, 3)).to.deep.equal([
      `POST ${url}`,
      'Content-Type: application/json',
      'X-Service-Signature: t=…,v1=…',
    ]);
    expect(JSON.parse(body)).to.include({ type: 'test.ping' });
    expect(await page.content()).not.to.include('whsec_');
  });

  it('count the deliveries of a replay before it starts, and change the event types of an endpoint', async () => {
    const { api } = pages.person;
    const { id } = await api.webhooks.create({
      url,
      events: ['session.completed'],
      description: 'to be replayed to',
    });
    await (await api.sessions.create({ label: 'for an event' })).end();
    const page = await pages.open();
    await page.goto(`/console/webhooks/${id}`);
    await page.getByRole('button', { name: 'Replay since…' }).click();
    const dialog = page.getByRole('dialog');
    const since = (days: number) =>
      dialog.getByLabel('Since').fill(new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10));
    const send = dialog.getByRole('button', { name: /^Send \d+ again$/ });
    await since(1);
    await dialog.getByRole('button', { name: 'Count' }).click();
    await send.waitFor();
    // Only the counted range can be sent: a change of the date withdraws the button.
    await since(300);
    await send.waitFor({ state: 'detached' });
    await since(1);
    await send.click();
    await dialog.getByText(/A replay has started: rpl_/).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('session.failed').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('session.completed, session.failed').waitFor();
    expect((await api.webhooks.get(id)).events).to.have.members(['session.completed', 'session.failed']);
  });

  it('give the code that verifies a delivery in five languages, and show every text as text', async () => {
    const { api } = pages.person;
    for (const description of Object.values(hostileTexts).slice(0, 5))
      await api.webhooks.create({ url, events: ['session.failed'], description });
    const page = await pages.open();
    await page.goto('/console/webhooks');
    await showsAsText(page, Object.values(hostileTexts).slice(0, 5));
    await page.getByRole('table', { name: 'Webhooks' }).getByRole('link').first().click();
    await page.getByText('Verify a delivery in your code').click();
    for (const language of ['Node', 'Python', 'Ruby', 'Go', 'PHP']) {
      await page.getByRole('button', { name: language, exact: true }).click();
      expect(await page.locator('details pre').innerText()).to.include('secret');
    }
  });

  it('return to the list once an endpoint is deleted, and show in another tab that it no longer exists', async () => {
    const { id: gone } = await pages.person.api.webhooks.create({ url, events: ['session.failed'] });
    const page = await pages.open();
    const other = await page.context().newPage();
    for (const each of [page, other]) {
      await each.goto(`/console/webhooks/${gone}`);
      await each.getByRole('heading', { name: url }).waitFor();
    }
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
    await page.waitForURL('**/console/webhooks');
    await refreshes(other);
    await other.getByRole('heading', { name: 'Not found' }).waitFor();
    expect(await other.getByRole('button', { name: 'Delete webhook' }).count()).to.equal(0);
  });

  let id = '';
  let delivery = '';
  before(async () => {
    const { api } = pages.person;
    ({ id } = await api.webhooks.create({ url, events: ['session.failed'], description: 'to be looked at' }));
    ({ delivery_id: delivery } = await api.webhooks.test(id));
  });
  canBeRead(pages, [
    {
      name: 'webhooks',
      path: '/webhooks',
      until: (page) => page.getByRole('table', { name: 'Webhooks' }).waitFor(),
    },
    { name: 'webhook', path: () => `/webhooks/${id}`, until: (page) => deliveries(page).first().waitFor() },
    {
      name: 'delivery',
      path: () => `/deliveries/${delivery}`,
      until: (page) => page.getByRole('table', { name: 'Attempts' }).waitFor(),
    },
  ]);
});
