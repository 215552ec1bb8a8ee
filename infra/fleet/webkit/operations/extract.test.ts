import { expect } from 'chai';
import type { Browser, Driver } from '../../node/driver.ts';
import { failure, launch, run, startDriver } from '../testing/browser.ts';
import { startTestSite, type TestSite } from '../testing/site.ts';

describe('extraction from a real page', () => {
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

  const go = (path: string) => run(browser, 'navigate', { url: `${site.url}${path}` });

  it('extracts what a schema asks for', async () => {
    await go('/');
    const items = {
      type: 'array',
      'x-selector': '.item',
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          id: { type: 'integer', 'x-selector': ':scope', 'x-attribute': 'data-id' },
          name: { type: 'string', 'x-selector': 'a' },
          link: { type: 'string', 'x-selector': 'a', 'x-attribute': 'href' },
          price: { type: 'number' },
        },
      },
    };
    const found = await run(browser, 'extract', { schema: { type: 'object', properties: { items } } });
    expect(found).to.deep.include({
      matched: true,
      data: {
        items: [
          { id: 7, name: 'Apple', link: `${site.url}/a`, price: 1204.5 },
          { id: 8, name: 'Pear', link: `${site.url}/b`, price: 3 },
        ],
      },
    });
    const none = await run(browser, 'extract', { schema: { type: 'string', 'x-selector': '#none' } });
    expect(none).to.include({ matched: false, data: null });
    expect(none.detail).to.match(/^Nothing on the page matches the schema\./);
    const empty = {
      properties: { list: { type: 'array', 'x-selector': '.none', items: { type: 'string' } } },
    };
    const unlisted = await run(browser, 'extract', { schema: empty });
    expect(unlisted)
      .to.deep.include({ matched: false, data: { list: [] } })
      .and.have.property('detail');
    const schema = { type: 'object', required: ['gone'], properties: { gone: { type: 'string' } } };
    expect(await failure(run(browser, 'extract', { schema }))).to.include({ category: 'condition_not_met' });
  });

  it('takes the type of a schema from what it holds, and the page as its root', async () => {
    await go('/next');
    const heading = { properties: { h: { 'x-selector': 'h1' } } };
    expect(await run(browser, 'extract', { schema: heading })).to.deep.include({ data: { h: 'Next page' } });
    expect(await run(browser, 'extract', { schema: {} })).to.include({ data: 'Next page', matched: true });
  });
});
