import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../testbed/index.ts';
import { canBeRead, usePages } from './pages.ts';

describe('the pages of the console about the account', function () {
  this.timeout(240_000);
  const pages = usePages();
  const shows = (text: string) => (page: Page) => page.getByText(text).first().waitFor();

  it('show the usage, as bars and as a table, and the remaining quotas', async () => {
    await (await pages.person.api.sessions.create({ label: 'to be counted' })).end();
    const page = await pages.open();
    await page.goto('/console/usage');
    await page.getByRole('img', { name: /^Sessions by day/ }).waitFor();
    await page.getByLabel('Metric').selectOption({ label: 'Session minutes' });
    await page.getByRole('img', { name: /^Session minutes by day/ }).waitFor();
    await page.getByText('As a table').click();
    await page.getByRole('table', { name: 'Session minutes' }).waitFor();
    await page.getByRole('table', { name: 'Quotas' }).getByText('API keys').waitFor();
  });

  it('invite a person, and withdraw the invitation', async () => {
    const page = await pages.open();
    await page.goto('/console/team');
    await page.getByLabel('Email').fill('no address');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    expect(
      await page
        .getByLabel('Email')
        .evaluate((field: { validity: { valid: boolean } }) => field.validity.valid),
    ).to.equal(false);
    await page.getByLabel('Email').fill('colleague@example.com');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('An invitation was sent to colleague@example.com.').waitFor();
    const row = page.getByRole('table', { name: 'Open invitations' }).locator('tbody tr');
    await row.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('save the organization, a proxy, a key of a provider, and the choice of mails', async () => {
    const { api } = pages.person;
    const page = await pages.open();
    await page.goto('/console/settings/organization');
    await page.getByLabel('Company').fill('Example & Sons');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await api.organization.get()).company).to.equal('Example & Sons');

    await page.goto('/console/settings/proxies');
    await page.getByRole('button', { name: 'New proxy' }).click();
    const dialog = page.getByRole('dialog');
    for (const [label, value] of [
      ['Label', 'way out'],
      ['Host', 'proxy.example.com'],
      ['Port', '8080'],
      ['Password', 'hidden-password'],
    ] as const)
      await dialog.getByLabel(label).fill(value);
    await dialog.getByRole('button', { name: 'Save proxy' }).click();
    await page.getByRole('table', { name: 'Proxies' }).getByText('http://proxy.example.com:8080').waitFor();
    expect(await page.content()).not.to.include('hidden-password');

    await page.goto('/console/settings/mails');
    await page
      .getByRole('row', { name: /^Receipt/ })
      .getByRole('button', { name: 'Opt out' })
      .click();
    await page
      .getByRole('row', { name: /^Receipt/ })
      .getByRole('button', { name: 'Opt in' })
      .waitFor();

    await page.goto('/console/settings/model');
    await page.getByText('No key is stored.').waitFor();
    await page.getByLabel('API key of the provider').fill(`sk-ant-${'a'.repeat(40)}`);
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByText('Ends with').waitFor();
    await page.getByRole('button', { name: 'Remove the key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the key' }).click();
    await page.getByText('No key is stored.').waitFor();
  });

  it('stay signed in after the clock of the computer was set back', async () => {
    const page = await pages.open({ as: await pages.somebody() });
    const heading = page.getByRole('heading', { level: 1, name: 'Usage' });
    await page.goto('/console/usage');
    await heading.waitFor();
    await page.evaluate("localStorage.setItem('console.refreshed_at', String(Date.now() + 3_600_000))");
    // As when the access token has expired.
    await page.context().clearCookies({ name: /service_session$/ });
    await page.reload();
    await heading.waitFor();
  });

  it('lead from the settings to the sign-ins', async () => {
    const page = await pages.open();
    await page.goto('/console/settings');
    await page.getByRole('link', { name: 'Sign-ins' }).click();
    await page.waitForURL('**/console/audit?action=auth.signed_in');
    await page.getByRole('table', { name: 'Audit log' }).getByText('auth.signed_in').first().waitFor();
  });

  it('show the history of each resource, and link to the request of each change', async () => {
    const { api } = pages.person;
    for (const company of ['Before', 'After']) await api.organization.put({ company });
    const key = await api.keys.create({ name: 'with a past' });
    const profile = await api.profiles.create({ name: 'before' });
    await api.profiles.update(profile.id, { name: 'after' });
    const webhook = await api.webhooks.create({
      url: 'https://93.184.215.14/hook',
      events: ['session.failed'],
    });
    const proxy = await api.proxies.create({
      ...{ label: 'before', scheme: 'http', host: 'proxy.example.com', port: 8080 },
    });
    await api.proxies.update(proxy.id, { label: 'after' });
    const snapshot = await api.profileSnapshots.create(profile.id, { label: 'as it was' });
    const page = await pages.open();
    for (const [path, change] of [
      ['/settings/organization', 'company: "Before" → "After"'],
      [`/keys/${key.id}`, 'name: nothing → "with a past"'],
      [`/profiles/${profile.id}`, 'name: "before" → "after"'],
      [`/settings/proxies/${proxy.id}`, 'label: "before" → "after"'],
      [`/profile-snapshots/${snapshot.id}`, 'label: nothing → "as it was"'],
      [`/webhooks/${webhook.id}`, 'url: nothing → "https://93.184.215.14/hook"'],
    ] as const) {
      await page.goto(`/console${path}`);
      await page.getByText('History', { exact: true }).click();
      const entry = page
        .getByRole('table', { name: 'History' })
        .locator('tbody tr')
        .filter({ hasText: change });
      await entry.getByRole('link').last().click();
      await page.waitForURL('**/console/requests/*');
    }
  });

  it('show the state of the service to everybody, even while it does not answer', async () => {
    const page = await pages.open({ as: null });
    await page.goto('/console/status');
    await page.getByRole('table', { name: 'Status' }).waitFor();
    await page.getByText('There were no incidents within the last 14 days.').waitFor();
    await page.getByRole('img', { name: /^The last 90 days: \d+ met the target/ }).waitFor();
    await page.getByText('As a table').click();
    expect(await page.getByRole('table', { name: 'Uptime by day' }).locator('tbody tr').count()).to.equal(90);
  });

  it('show an incident to everybody, with its updates and their times', async () => {
    const open = [
      '--title',
      'Slow',
      '--impact',
      'minor',
      '--component',
      'api',
      '--message',
      'We are looking.',
    ];
    const made = await pages.stack.service('incident', 'open', ...open, '--json');
    expect(made.status, made.stderr).to.equal(0);
    const { id } = JSON.parse(made.stdout) as { id: string };
    // The page polls every 15 seconds only.
    await until(async () => (await pages.person.api.status.get()).incidents.some((each) => each.id === id));
    const page = await pages.open({ as: null });
    await page.goto('/console/status');
    await page.getByRole('link', { name: 'Slow' }).click();
    await page.waitForURL(`**/console/status/incidents/${id}`);
    await page.getByText('investigating: We are looking.').waitFor();
    await page.getByText('History', { exact: true }).click();
    await page.getByRole('table', { name: 'History' }).getByText('title: nothing → "Slow"').waitFor();
    await pages.stack.service('incident', 'resolve', id, '--message', 'It is over.');
  });

  let [proxy, snapshot] = ['', ''];
  before(async () => {
    const { api } = pages.person;
    const { id } = await api.profiles.create({ name: 'to be looked at' });
    ({ id: snapshot } = await api.profileSnapshots.create(id, { label: 'before the sale' }));
    ({ id: proxy } = await api.proxies.create({
      ...{ label: 'looked at', scheme: 'socks5', host: 'proxy.example.com', port: 1080 },
    }));
  });
  const opensHistory = async (page: Page) => {
    await page.getByText('History', { exact: true }).click();
    await page.getByRole('table', { name: 'History' }).locator('tbody tr').first().waitFor();
  };
  canBeRead(pages, [
    { name: 'proxy', path: () => `/settings/proxies/${proxy}`, until: opensHistory },
    { name: 'snapshot', path: () => `/profile-snapshots/${snapshot}`, until: opensHistory },
    { name: 'usage', path: '/usage', until: shows('Session minutes') },
    { name: 'billing', path: '/billing', until: shows('There are no invoices yet.') },
    { name: 'explain', path: '/billing/explain', until: shows('Nothing was paid in that month.') },
    { name: 'team', path: '/team', until: shows('The team has no members yet.') },
    { name: 'recipes', path: '/recipes', until: shows('There are no recipes yet.') },
    { name: 'settings', path: '/settings', until: shows('Who uses the account.') },
    { name: 'organization', path: '/settings/organization', until: shows('Company') },
    { name: 'model', path: '/settings/model', until: shows('No key is stored.') },
    { name: 'proxies', path: '/settings/proxies', until: shows('Proxies') },
    { name: 'mails', path: '/settings/mails', until: shows('Welcome') },
    { name: 'deprecations', path: '/settings/deprecations', until: shows('You use nothing') },
    {
      name: 'status',
      path: '/status',
      until: (page) => page.getByRole('table', { name: 'Status' }).waitFor(),
    },
  ]);
});
