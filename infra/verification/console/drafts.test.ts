import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { usePages, type Person } from './pages.ts';

describe('text typed into the console, when the session ends,', function () {
  this.timeout(240_000);
  const pages = usePages();

  /** Makes the session expire in all tabs, by removing the cookies. */
  const runOut = (page: Page) => page.context().clearCookies();
  /** Signs in by the link of a mail, when the console requires it. */
  const signInAgain = async (page: Page, { account: { account_id: id } }: Person) => {
    await page.waitForURL('**/console/sign-in');
    await page.getByText('You are no longer signed in.').waitFor();
    await page.goto(await pages.stack.consoleLink(id));
    await page.getByRole('button', { name: 'Sign in' }).click();
  };
  const newProxy = async (page: Page) => {
    await page.goto('/console/settings/proxies');
    await page.getByRole('button', { name: 'New proxy' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('office');
    await dialog.getByLabel('Kind').selectOption('socks5');
    await dialog.getByLabel('Host').fill('proxy.example');
    await dialog.getByLabel('Port').fill('1080');
    await dialog.getByLabel('User name').fill('ada');
    await dialog.getByLabel('Password').fill('a secret of hers');
    return dialog;
  };
  const stored = (page: Page) => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');

  it('is restored once the same person has signed in, except for secrets, and is sent once', async () => {
    const person = await pages.somebody();
    const page = await pages.open({ as: person });
    const dialog = await newProxy(page);
    await runOut(page);
    await dialog.getByRole('button', { name: 'Save proxy' }).click();
    await page.waitForURL('**/console/sign-in');
    expect(await stored(page))
      .to.include('proxy.example')
      .and.not.include('a secret of hers');
    await signInAgain(page, person);
    await dialog.waitFor();
    const values = await Promise.all(
      ['Label', 'Kind', 'Host', 'Port', 'User name', 'Password'].map((label) =>
        dialog.getByLabel(label).inputValue(),
      ),
    );
    expect(values).to.deep.equal(['office', 'socks5', 'proxy.example', '1080', 'ada', '']);
    expect(await stored(page)).to.not.include('proxy.example');
    await dialog.getByRole('button', { name: 'Save proxy' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Proxies' }).getByText('office').waitFor();
    await page.reload();
    await page.getByRole('table', { name: 'Proxies' }).getByText('office').waitFor();
    expect(await dialog.count()).to.equal(0);
  });

  it('is restored after a sign-in by key, also if a refresh has noticed the end', async () => {
    const person = await pages.somebody();
    const page = await pages.open({ as: person });
    await page.goto('/console/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('https://example.com/kept');
    await dialog.getByLabel('session.failed').uncheck();
    await runOut(page);
    await page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))");
    await page.waitForURL('**/console/sign-in');
    await page.getByRole('button', { name: 'Use an API key' }).click();
    await page.getByLabel('API key').fill(person.account.api_key);
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.waitForURL('**/console/webhooks');
    expect(await dialog.getByLabel('Address').inputValue()).to.equal('https://example.com/kept');
    expect(await dialog.getByLabel('session.failed').isChecked()).to.equal(false);
  });

  it('is restored if it was a message to an agent', async () => {
    const person = await pages.somebody();
    const { id } = await person.api.agents.create({ mode: 'pair' });
    const page = await pages.open({ as: person });
    await page.goto(`/console/agents/${id}`);
    await page.getByLabel('Message').fill('go to https://example.com/');
    await runOut(page);
    await page.getByLabel('Message').press('Enter');
    await signInAgain(page, person);
    await page.waitForURL(`**/console/agents/${id}`);
    await page.getByLabel('Message').waitFor();
    expect(await page.getByLabel('Message').inputValue()).to.equal('go to https://example.com/');
  });

  it('is shown to nobody else, and deleted at a sign-out', async () => {
    const [first, second] = await Promise.all([pages.somebody(), pages.somebody()]);
    const page = await pages.open({ as: first });
    await newProxy(page);
    await runOut(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Save proxy' }).click();
    await signInAgain(page, second);
    await page.getByText('No proxy has been saved yet.').waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(await stored(page)).to.not.include('proxy.example');

    const other = await page.context().newPage();
    await newProxy(page);
    await other.goto('/console/');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/console/sign-in');
    expect(await stored(page)).to.not.include('proxy.example');
  });
});
