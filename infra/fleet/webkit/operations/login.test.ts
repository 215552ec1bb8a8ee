import { expect } from 'chai';
import type { Browser, Driver } from '../../node/driver.ts';
import { failure, launch, run, startDriver } from '../testing/browser.ts';
import { startTestSite, type TestSite } from '../testing/site.ts';

describe('login on a real page', () => {
  let site: TestSite;
  let driver: Driver;
  let browser: Browser;
  before(async () => {
    site = await startTestSite();
    driver = await startDriver();
    browser = await launch(driver);
  });
  after(async () => {
    await browser.close();
    await driver.close();
    await site.close();
  });

  const login = (password: string, more: object = {}, timeoutMs?: number) =>
    run(
      browser,
      'login',
      { url: `${site.url}/login`, fields: { username: 'ada', password }, ...more },
      timeoutMs,
    );

  it('signs in, and says when it was refused', async () => {
    expect(await login('right')).to.include({ status: 'authenticated', final_url: `${site.url}/account` });
    expect(await login('wrong')).to.include({ status: 'failed', final_url: `${site.url}/login` });
  });

  it('believes a success condition', async () => {
    const success = { kind: 'selector', selector: '#in' };
    expect(await login('right', { success })).to.include({ status: 'authenticated' });
    expect(await login('wrong', { success })).to.include({ status: 'failed' });
  });

  it('asks for a code it was not given and uses one it was', async () => {
    const asked = await login('needs code');
    expect(asked).to.deep.include({ status: 'needs_input', fields: [{ name: 'otp', type: 'text' }] });
    const fields = { username: 'ada', password: 'needs code', otp: '123456' };
    expect(await login('', { fields })).to.include({
      status: 'authenticated',
      final_url: `${site.url}/account`,
    });
  });

  it('needs a form', async () => {
    expect(await failure(login('right', { url: `${site.url}/next` }, 500))).to.include({
      kind: 'timeout',
      category: 'element_not_found',
    });
  });
});
