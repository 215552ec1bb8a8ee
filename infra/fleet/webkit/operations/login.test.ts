import { expect } from 'chai';
import { failure, run } from '../testing/browser.ts';
import { startTestSite } from '../testing/site.ts';
import { withBrowser } from '../testing/suite.ts';

describe('login on a real page', () => {
  const suite = withBrowser(startTestSite);
  const login = (password: string, more: object = {}, timeoutMs?: number) =>
    run(
      suite.browser,
      'login',
      { url: `${suite.site.url}/login`, fields: { username: 'ada', password }, ...more },
      timeoutMs,
    );

  it('signs in, and reports a refusal', async () => {
    expect(await login('right')).to.include({
      status: 'authenticated',
      final_url: `${suite.site.url}/account`,
    });
    expect(await login('wrong')).to.include({ status: 'failed', final_url: `${suite.site.url}/login` });
  });

  it('signs in as soon as the success condition holds', async () => {
    const success = { kind: 'selector', selector: '#in' };
    expect(await login('right', { success })).to.include({ status: 'authenticated' });
    expect(await login('wrong', { success })).to.include({ status: 'failed' });
  });

  it('requests a missing one-time code, and uses a given one', async () => {
    const asked = await login('needs code');
    expect(asked).to.deep.include({ status: 'needs_input', fields: [{ name: 'otp', type: 'text' }] });
    const fields = { username: 'ada', password: 'needs code', otp: '123456' };
    expect(await login('', { fields })).to.include({
      status: 'authenticated',
      final_url: `${suite.site.url}/account`,
    });
  });

  it('fails without a form', async () => {
    await run(suite.browser, 'navigate', { url: `${suite.site.url}/next` });
    expect(await failure(login('right', { url: undefined }, 3_000))).to.include({
      kind: 'timeout',
      category: 'element_not_found',
    });
  });
});
