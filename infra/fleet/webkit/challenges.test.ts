import { expect } from 'chai';
import { until } from '../../verification/testbed/index.ts';
import type { BrowserReport } from '../node/driver.ts';
import { challengeOf } from './challenges.ts';
import { ask, launch, run, startDriver } from './testing/browser.ts';
import { startTestSite } from './testing/site.ts';

describe('bot checks', () => {
  const typeOf = (frame: string) => challengeOf({}, [frame])?.type;

  it('are recognized by their response header', () => {
    expect(challengeOf({ 'cf-mitigated': 'challenge' }, [])?.type).to.equal('cloudflare_interstitial');
    expect(challengeOf({ 'x-amzn-waf-action': 'captcha' }, [])?.type).to.equal('aws_waf');
    expect(challengeOf({ 'x-amzn-waf-action': 'allow' }, [])).to.equal(undefined);
  });

  it('are recognized by their frame', () => {
    expect(typeOf('https://client-api.arkoselabs.com/fc/gc/?token=1')).to.equal('arkose');
    expect(typeOf('https://geo.captcha-delivery.com/captcha/?cid=1')).to.equal('datadome');
    expect(typeOf('https://newassets.hcaptcha.com/captcha/v1/a/hcaptcha.html#frame=challenge&id=1')).to.equal(
      'hcaptcha',
    );
    expect(typeOf('https://shop.test/_Incapsula_Resource?SWUDNSAI=31')).to.equal('imperva');
    expect(typeOf('https://www.google.com/recaptcha/api2/bframe?k=1')).to.equal('recaptcha_v2');
    expect(typeOf('https://www.recaptcha.net/recaptcha/enterprise/bframe?k=1')).to.equal('recaptcha_v2');
  });

  it('are not reported for what the same vendors put on pages without a check', () => {
    for (const frame of [
      'https://www.google.com/recaptcha/api2/anchor?k=1',
      'https://newassets.hcaptcha.com/captcha/v1/a/hcaptcha.html#frame=checkbox&id=1',
      'https://shop.test/?next=https://geo.captcha-delivery.com/captcha/',
      'https://captcha-delivery.com.shop.test/',
      'https://nothcaptcha.com/x#frame=challenge',
      '',
    ])
      expect(typeOf(frame), frame).to.equal(undefined);
  });

  it('are looked for in an address of any length within a moment', () => {
    const begin = performance.now();
    for (const rest of ['#'.repeat(200_000), '#frame='.repeat(50_000), 'a.'.repeat(100_000)])
      for (const host of ['hcaptcha.com/', '', 'shop.test/_Incapsula_Resource'])
        expect(typeOf(`https://${host}${rest}`)).to.equal(undefined);
    expect(performance.now() - begin).to.be.below(5_000);
  });

  it('are cleared once their page is gone, and reported anew when it returns', async () => {
    const site = await startTestSite();
    const driver = await startDriver();
    const browser = await launch(driver);
    const ids: string[] = [];
    browser.onReport((report) => report.kind === 'challenge_detected' && ids.push(report.challenge_id));
    const reported = (count: number) => until(() => ids.length === count);
    const cleared = async (challenge_id = '') => (await ask(browser, 'challenge', { challenge_id })).cleared;
    for (const path of ['/walled', '/mitigated']) {
      ids.length = 0;
      await run(browser, 'navigate', { url: site.url + path });
      await reported(1);
      expect(await cleared(ids[0])).to.equal(false);
      await run(browser, 'navigate', { url: `${site.url}/next` });
      expect(await cleared(ids[0])).to.equal(true);
      await run(browser, 'navigate', { url: site.url + path });
      await reported(2);
      expect([await cleared(ids[0]), await cleared(ids[1])]).to.deep.equal([true, false]);
    }
    await browser.close();
    await driver.close();
    await site.close();
  });

  it('that replace another check are reported when the old one is queried', async () => {
    const site = await startTestSite();
    const driver = await startDriver();
    const browser = await launch(driver);
    const ids: string[] = [];
    browser.onReport((report) => report.kind === 'challenge_detected' && ids.push(report.challenge_id));
    await run(browser, 'navigate', { url: `${site.url}/walled` });
    await until(() => ids.length === 1);
    // Navigates like a person in the live view, so that no operation follows that would look at the page.
    await ask(browser, 'history', { direction: 'back' });
    expect((await ask(browser, 'challenge', { challenge_id: ids[0] ?? '' })).cleared).to.equal(true);
    await ask(browser, 'history', { direction: 'forward' });
    expect((await ask(browser, 'challenge', { challenge_id: ids[0] ?? '' })).cleared).to.equal(true);
    expect(ids.length).to.equal(2);
    await browser.close();
    await driver.close();
    await site.close();
  });

  it('in a real browser are reported once while they are shown, and only when they are visible', async () => {
    const site = await startTestSite();
    const driver = await startDriver();
    const browser = await launch(driver);
    const told: BrowserReport[] = [];
    browser.onReport((report) => told.push(report));
    const types = () => told.map((report) => report.kind === 'challenge_detected' && report.challenge.type);
    await run(browser, 'navigate', { url: `${site.url}/unwalled` });
    await run(browser, 'navigate', { url: `${site.url}/walled` });
    await until(() => told.length > 0);
    await run(browser, 'interact', { action: { kind: 'tap', selector: 'h1' } });
    await run(browser, 'navigate', { url: `${site.url}/mitigated` });
    await until(() => types().includes('cloudflare_interstitial'));
    expect(types()).to.deep.equal(['imperva', 'cloudflare_interstitial']);
    await browser.close();
    await driver.close();
    await site.close();
  });
});
