import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { canBeRead, hostileTexts, showsAsText, signInByKey, usePages } from './pages.ts';

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
