import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { until } from '../testbed/index.ts';
import { canBeRead, hostileTexts, refreshes, showsAsText, signInByKey, usePages } from './pages.ts';

/** Makes the page read this key, and holds the answer back until the returned function is called. */
async function reading(page: Page, id: string): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let isAnswered = false;
  await page.route(
    `**/v1/api-keys/${id}`,
    async (route) => {
      const response = await route.fetch();
      isAnswered = true;
      await released;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  await refreshes(page);
  await until(() => isAnswered);
  return release;
}

describe('the pages of the console about API keys', function () {
  this.timeout(240_000);
  const pages = usePages();
  const row = (page: Page, name: string) =>
    page.getByRole('table', { name: 'API keys' }).locator('tbody tr').filter({ hasText: name });
  const statusOf = async (key: string) =>
    (await fetch(`${pages.stack.baseUrl}/v1/account/me`, { headers: { authorization: `Bearer ${key}` } }))
      .status;

  it('make a key that is shown once and works, replace it, and revoke it', async () => {
    const page = await pages.open();
    await page.goto('/console/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('of a robot');
    await dialog.getByLabel('Write everything').uncheck();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const once = page.getByRole('heading', { name: 'Your new key' }).locator('..').locator('pre');
    const key = await once.innerText();
    expect(await statusOf(key)).to.equal(200);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await once.waitFor({ state: 'detached' });

    await row(page, 'of a robot').getByRole('link').click();
    await page.getByText('Read everything').waitFor();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const next = await once.innerText();
    expect([await statusOf(key), await statusOf(next)]).to.deep.equal([200, 200]);

    await page.goto('/console/keys?status=active');
    await row(page, 'of a robot').getByRole('link').click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('revoked', { exact: true }).waitFor();
    expect(await statusOf(next)).to.equal(401);
  });

  for (const isBeingRead of [false, true])
    it(`show a change at once${isBeingRead ? ', also if the key was being read meanwhile' : ''}`, async () => {
      const { id } = await pages.person.api.keys.create({ name: 'soon revoked' });
      const page = await pages.open();
      // Nothing is refreshed from time to time.
      await page.addInitScript('window.setInterval = () => 0');
      await page.goto(`/console/keys/${id}`);
      await page.getByText('active', { exact: true }).waitFor();
      const release = isBeingRead ? await reading(page, id) : () => undefined;
      const [answer, read] = [
        page.waitForResponse((each) => each.request().method() === 'DELETE'),
        page.waitForRequest((each) => each.method() === 'GET' && each.url().endsWith(id)),
      ];
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      const { 'x-service-position': position } = (await answer).headers();
      release();
      expect((await read).headers()['x-service-min-position']).to.equal(position);
      await page.getByText('revoked', { exact: true }).waitFor();
    });

  it('show what is wrong with the typed text, keep it, and focus the error before anything else can be typed', async () => {
    const page = await pages.open();
    await page.goto('/console/keys');
    await page.evaluate(`new MutationObserver(() => {
      const trouble = document.querySelector('.trouble');
      if (trouble) window.isFocused ??= document.activeElement === trouble;
    }).observe(document.body, { childList: true, subtree: true })`);
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('expires in the past');
    await dialog.getByLabel('Expires').fill('2020-01-01');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByRole('alert').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).to.equal('expires in the past');
    expect(await page.evaluate('window.isFocused')).to.equal(true);
  });

  it('make a key that works to the end of the chosen day, where the user is', async () => {
    const page = await pages.open({ timezoneId: 'Pacific/Honolulu' });
    await page.goto('/console/keys');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('of a day');
    await dialog.getByLabel('Expires').fill('2099-03-03');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('heading', { name: 'Your new key' }).waitFor();
    const expiries: unknown[] = [];
    for await (const { name, expires_at } of pages.person.api.keys.list())
      if (name === 'of a day') expiries.push(expires_at);
    expect(expiries).to.deep.equal(['2099-03-04T10:00:00.000Z']);
  });

  it('are forgotten by a tab that signs in another way, even if its key is no longer valid', async () => {
    const { api, account } = await pages.somebody();
    const key = await api.keys.create({ name: 'of a tab' });
    const page = await pages.open({ as: null });
    await signInByKey(page, key.key);
    await api.keys.revoke(key.id);
    await page.goto('/console/keys');
    await page.waitForURL('**/console/sign-in');
    await page.goto(await pages.stack.consoleLink(account.account_id));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await row(page, 'of a tab').getByText('revoked').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  it('show every name as text', async () => {
    const { api } = pages.person;
    const names = Object.values(hostileTexts).map((text) => text.slice(0, 90));
    for (const name of names) await api.keys.create({ name });
    const page = await pages.open();
    await page.goto('/console/keys');
    await showsAsText(page, names);
  });

  let id = '';
  before(async () => {
    ({ id } = await pages.person.api.keys.create({ name: 'to be looked at' }));
  });
  canBeRead(pages, [
    { name: 'keys', path: '/keys', until: (page) => row(page, 'to be looked at').waitFor() },
    {
      name: 'key',
      path: () => `/keys/${id}`,
      until: (page) => page.getByText('active', { exact: true }).waitFor(),
    },
  ]);
});
