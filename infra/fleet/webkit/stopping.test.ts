import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { processesOf } from './processes.ts';
import { failure, launch, run, startDriver } from './testing/browser.ts';
import { startTestSite, type TestSite } from './testing/site.ts';
import { handsOf, withBrowser } from './testing/suite.ts';

describe('an operation that ran out of time', () => {
  const suite = withBrowser(startTestSite);
  const { go, act, read } = handsOf(suite);
  const pass = (ms: number) => run(suite.browser, 'wait', { condition: { kind: 'delay', ms } });
  const late = { kind: 'timeout', category: 'unknown' };
  /** Long enough for an operation to have begun, even on a slow machine. */
  const begunMs = 3_000;

  for (const [text, delay_ms] of [
    ['a'.repeat(400), 100],
    ['a'.repeat(10_000), 0],
  ] as const) {
    it(`types no further letter, ${delay_ms} ms between two`, async () => {
      await go('/form');
      expect(await failure(act({ kind: 'type', selector: '#name', text, delay_ms }, begunMs))).to.include(
        late,
      );
      await act({ kind: 'type', selector: '#name', text: '.' });
      expect(await read('#name')).to.match(/^a+\.$/);
      const typed = await read('#name');
      expect(typed.length).to.be.below(text.length);
      await pass(500);
      expect(await read('#name')).to.equal(typed);
    });
  }

  it('has lifted its finger', async () => {
    await go('/form');
    const press = act({ kind: 'long_press', selector: '#pad', duration_ms: 60_000 }, begunMs);
    expect(await failure(press)).to.include(late);
    expect(await read('#log')).to.equal('down;up;');
    const swipe = act({ kind: 'swipe', x1: 50, y1: 100, x2: 50, y2: 600, duration_ms: 60_000 }, begunMs);
    expect(await failure(swipe)).to.include(late);
    await act({ kind: 'tap', selector: '#go' });
    expect(await read('#log')).to.match(/touchstart;touchend;click;$/);
  });

  it('has stopped loading its page', async () => {
    await go('/next');
    const never = run(suite.browser, 'navigate', { url: `${suite.site.url}/never` }, 300);
    expect(await failure(never)).to.include({ kind: 'timeout', category: 'page_load_failed' });
    await run(suite.browser, 'wait', { condition: { kind: 'load_state', state: 'networkidle' } });
    expect((await run(suite.browser, 'state_capture', null)).url).to.equal(`${suite.site.url}/next`);
  });

  it('waits until the page has finished its work, and the session continues', async () => {
    await go('/work');
    expect(await failure(act({ kind: 'tap', selector: '#work' }, begunMs))).to.include(late);
    expect((await run(suite.browser, 'state_capture', null)).title).to.equal('Done');
  });

  it('runs none of its later steps on the next page', async () => {
    await go('/work');
    const fields = { username: 'a'.repeat(9) };
    const login = run(suite.browser, 'login', { url: `${suite.site.url}/form`, fields }, 20);
    expect(await failure(login)).to.include({ kind: 'timeout' });
    await go('/form');
    expect(await read('#name')).to.equal('');
  });
});

describe('an unresponsive browser', () => {
  let site: TestSite;
  before(async () => {
    site = await startTestSite();
  });
  after(() => site.close());

  it('fails every operation as unanswered, not as an unmet condition', async () => {
    const runtimeDir = tempDir('webkit');
    const url = `${site.url}/results`;
    const searchEngines = { own: { url, result: '.r', title: 'a', link: 'a' } };
    const driver = await startDriver({ runtimeDir, searchEngines });
    const browser = await launch(driver);
    await run(browser, 'navigate', { url: `${site.url}/form` });
    for (const pid of processesOf(runtimeDir)) process.kill(pid, 'SIGSTOP');
    const outcomes = await Promise.all([
      failure(run(browser, 'navigate', { url }, 300)),
      failure(run(browser, 'interact', { action: { kind: 'tap', selector: '#go' } }, 300)),
      failure(run(browser, 'wait', { condition: { kind: 'selector', selector: '#none' } }, 300)),
      failure(run(browser, 'state_capture', null, 300)),
      failure(run(browser, 'capture', { kind: 'screenshot' }, 300)),
      failure(run(browser, 'extract', { schema: { type: 'string', 'x-selector': '#log' } }, 300)),
      failure(run(browser, 'search', { query: 'q' }, 300)),
      failure(run(browser, 'login', { fields: { username: 'ada', password: 'right' } }, 300)),
    ]);
    expect(outcomes.map(({ kind }) => kind)).to.deep.equal(Array(8).fill('silent'));
    await browser.close();
    await driver.close();
    expect(processesOf(runtimeDir)).to.deep.equal([]);
  });

  it('is one whose page blocks its thread for ever', async () => {
    const driver = await startDriver();
    const opened = async (path: string) => {
      const browser = await launch(driver);
      await run(browser, 'navigate', { url: `${site.url}${path}` });
      return browser;
    };
    const looping = await opened('/loop');
    const tap = run(looping, 'interact', { action: { kind: 'tap', selector: '#loop' } }, 3_000);
    expect(await failure(tap)).to.include({ kind: 'silent' });
    const busy = await opened('/busy');
    await run(busy, 'wait', { condition: { kind: 'delay', ms: 200 } });
    expect(await failure(run(busy, 'capture', { kind: 'pdf' }, 300))).to.include({ kind: 'silent' });
    await Promise.all([looping.close(), busy.close()]);
    await driver.close();
  });
});
