import { expect } from 'chai';
import type { Browser, Driver } from '../node/driver.ts';
import { ask, failure, launch, run, startDriver } from './testing/browser.ts';
import { servePages, type Pages } from './testing/pages.ts';

/** Hidden, so that nothing of it is laid out. */
const script = (source: string) => `<!doctype html><body><script>${source}</script>`;

describe('a page with more content than a result may have', () => {
  let site: Pages;
  let driver: Driver;
  let browser: Browser;
  before(async () => {
    site = await servePages({
      // Each character becomes six in JSON.
      '/text': script("document.body.append(document.createComment('\\u0001'.repeat(20e6)))"),
      '/source': script("document.body.append(document.createComment('x'.repeat(40e6)))"),
      '/title': script("document.title = 'x'.repeat(40e6)"),
      '/address': script("history.replaceState(0, '', '#' + 'x'.repeat(5e5))"),
      '/items': script('for (let at = 0; at < 100_001; at += 1) localStorage[at] = ""'),
      '/lists': script(
        "document.body.innerHTML = '<div>'.repeat(100) + '<b></b>'.repeat(20_000) + '</div>'.repeat(100)",
      ),
      '/wide':
        '<!doctype html><meta name="viewport" content="width=device-width"><div style="width:4000px;height:8000px"></div>',
      '/scroller':
        '<!doctype html><div style="height:100px;overflow:auto"><p style="width:8000px;height:8000px"></div>',
      '/lines': script("document.title = 'one\\u2028two\\u2029three\\ud800'"),
    });
    driver = await startDriver();
    browser = await launch(driver);
  });
  after(async () => {
    await browser.close();
    await driver.close();
    await site.close();
  });

  const open = (path: string) => run(browser, 'navigate', { url: new URL(path, site.url).href });

  for (const path of ['/text', '/source'])
    it(`fails with an error, and its browser keeps working: ${path}`, async () => {
      await open(path);
      const snapshot = run(browser, 'capture', { kind: 'dom_snapshot' });
      expect(await failure(snapshot)).to.include({ kind: 'page', category: 'result_too_large' });
      expect(await run(browser, 'state_capture', null)).to.have.property('url', new URL(path, site.url).href);
    });

  for (const [path, part] of [
    ['/wide', { full_page: true }],
    ['/wide', { selector: 'div' }],
    ['/scroller', { selector: 'p' }],
  ] as const)
    it(`fails with an error if a picture of it would have too many pixels, and its browser keeps working: ${path} ${Object.keys(part).join()}`, async () => {
      await open(path);
      const picture = run(browser, 'capture', { kind: 'screenshot', ...part });
      expect(await failure(picture)).to.include({ kind: 'page', category: 'result_too_large' });
      expect(await run(browser, 'state_capture', null)).to.have.property('url', new URL(path, site.url).href);
    });

  it('has as much time for an extraction as it was given, and its browser keeps working', async () => {
    await open('/lists');
    const schema = {
      type: 'array',
      'x-selector': 'div',
      items: { type: 'array', 'x-selector': 'b', items: { type: 'array', 'x-selector': 'i' } },
    };
    expect(await failure(run(browser, 'extract', { schema }, 1_000))).to.include({ kind: 'timeout' });
    expect((await ask(browser, 'page_state', null)).url).to.equal(new URL('/lists', site.url).href);
  });

  it('has its title cut to a few thousand characters', async () => {
    await open('/title');
    const { title, tabs } = await run(browser, 'state_capture', null);
    expect([title.length, tabs?.[0]?.title.length]).to.deep.equal([4096, 4096]);
    expect((await ask(browser, 'page_state', null)).title).to.have.length(4096);
  });

  it('has its address cut to what servers take', async () => {
    const { final_url } = await open('/address');
    const { url, tabs } = await run(browser, 'state_capture', null);
    const shown = (await ask(browser, 'page_state', null)).url;
    const lengths = [final_url, url, tabs?.[0]?.url, shown].map((each) => each?.length);
    expect(lengths).to.deep.equal([65_536, 65_536, 65_536, 65_536]);
  });

  it('may contain line separators and lone surrogates', async () => {
    await open('/lines');
    expect((await run(browser, 'state_capture', null)).title).to.match(/^one\u2028two\u2029three/);
  });

  // Last: the items stay.
  it('fails with an error if it has stored too many items, and its browser keeps working', async () => {
    await run(browser, 'navigate', { url: new URL('/items', site.url).href }, 60_000);
    expect(await failure(run(browser, 'state_capture', null))).to.include({ category: 'result_too_large' });
    expect((await ask(browser, 'page_state', null)).url).to.equal(new URL('/items', site.url).href);
  });
});
