import { expect } from 'chai';
import { openChromium } from '../testbed/chromium.ts';
import { usePages } from './pages.ts';
import { nothingBroke, openReaders } from './reader.ts';

describe('the links into the console', function () {
  this.timeout(240_000);
  const pages = usePages();

  it('ask for another one in the same tab, once they are refused', async () => {
    const page = await pages.open({ as: null });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const isOver = () => page.getByRole('alert').filter({ hasText: 'This link has been used' }).waitFor();
    await page.goto('/console/reset?token=dead');
    await page.getByLabel('Password').fill('correct horse battery staple 7');
    await press('Set the password');
    await isOver();
    await page.getByLabel('Email').fill('nobody@example.com');
    await press('Send me a link');
    await page.getByRole('status').filter({ hasText: 'If there is an account' }).waitFor();
    await page.goto('/console/reset');
    await page.getByLabel('Email').waitFor();
    await page.goto('/console/magic?token=dead');
    await press('Sign in');
    await isOver();
    await page.getByLabel('Email').waitFor();
  });

  it('leave a user signed in whose invitation is over', async () => {
    const page = await pages.open();
    await page.goto('/console/invite?token=dead');
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'This link has been used' }).waitFor();
    expect(await page.getByLabel('Email').count()).to.equal(0);
  });

  it('are left unused over plain http from another machine, and work at the forwarded port', async () => {
    const { account_id: id } = await pages.stack.account('free');
    const { port, pathname, search } = new URL(await pages.stack.consoleLink(id));
    await using browser = await openChromium('--host-resolver-rules=MAP vm 127.0.0.1');
    const readers = openReaders(browser, `http://vm:${port}`);
    const reader = await readers.open();
    const there = reader.page;
    await there.goto(`${pathname}${search}`);
    await there.getByRole('heading', { name: 'The console needs https' }).waitFor();
    await there.getByText(`ssh -L ${port}:127.0.0.1:${port} vm`).waitFor();
    expect(there.url()).to.equal(`http://vm:${port}${pathname}${search}`);
    expect(await reader.violations()).to.deep.equal([]);
    const forwarded = (await there.getByRole('link').getAttribute('href')) ?? '';
    await nothingBroke([reader], undefined);
    const here = await pages.open({ as: null });
    await here.goto(forwarded);
    await here.getByRole('button', { name: 'Sign in', exact: true }).click();
    await here.waitForURL(`${pages.stack.baseUrl}/console/`);
  });
});
