import { expect } from 'chai';
import { archetypeCatalogue, findArchetype } from '../../../contracts/archetypes.ts';
import type { Action, Condition } from '../../../contracts/resources/session.ts';
import { until } from '../../verification/testbed/index.ts';
import type { Browser, Driver } from '../node/driver.ts';
import { runOperation } from '../node/run-operation.ts';
import { failure, launch, logger, run, startDriver } from './testing/browser.ts';
import { startTestSite, type TestSite } from './testing/site.ts';

describe('the webkit driver', () => {
  let site: TestSite;
  let driver: Driver;
  let browser: Browser;
  const engines = {
    test: { url: '', result: '.r', title: 'a', link: 'a', snippet: 'p' },
  };
  const go = (path: string, timeout_ms?: number) =>
    run(browser, 'navigate', { url: site.url + path }, timeout_ms);
  const act = (action: Action) => run(browser, 'interact', { action });
  const wait = (condition: Condition, timeout_ms?: number) => run(browser, 'wait', { condition }, timeout_ms);
  const read = async (selector: string) => {
    const schema = { type: 'string', 'x-selector': selector };
    return (await run(browser, 'extract', { schema })).data;
  };
  const title = async () => (await run(browser, 'state_capture', null)).title;

  before(async () => {
    site = await startTestSite();
    engines.test.url = `${site.url}/results?q={query}`;
    driver = await startDriver({ searchEngines: engines, poolSize: 0 });
    browser = await launch(driver);
  });
  after(async () => {
    await browser.close();
    await driver.close();
    await site.close();
  });

  it('presents the archetype to the page', async () => {
    await go('/identity');
    const who: unknown = JSON.parse(String(await read('#who')));
    const archetype = findArchetype(archetypeCatalogue.default);
    expect(who).to.deep.equal({
      platform: 'iPhone',
      touch: 5,
      start: true,
      inner: [archetype?.viewport.width, archetype?.viewport.height],
      screen: [archetype?.screen.width, archetype?.screen.height],
      ratio: 3,
      driven: false,
      agent: archetype?.user_agent,
      rtc: 'undefined',
    });
  });

  describe('navigate', () => {
    it('returns the final address and the status of the page', async () => {
      expect(await go('/redirect?to=/next')).to.deep.include({ final_url: `${site.url}/next`, status: 200 });
      expect(await go('/nowhere')).to.deep.include({ status: 404 });
    });

    it('waits for the requested load state', async () => {
      for (const wait_until of ['domcontentloaded', 'load', 'networkidle'] as const) {
        const result = await run(browser, 'navigate', { url: `${site.url}/?${wait_until}`, wait_until });
        expect(result.status).to.equal(200);
      }
    });

    it('moves within a page without loading it', async () => {
      await go('/');
      expect((await go('/#bottom')).final_url).to.equal(`${site.url}/#bottom`);
    });

    it('times out, and its session goes on', async () => {
      expect(await failure(go('/never', 200))).to.include({ kind: 'timeout', category: 'page_load_failed' });
      expect(await go('/next')).to.include({ status: 200 });
    });

    it('fails on a page that cannot be reached, and its session goes on', async () => {
      const dead = await startTestSite();
      await dead.close();
      const failed = await failure(run(browser, 'navigate', { url: dead.url }));
      expect(failed).to.include({ kind: 'page', category: 'page_load_failed' });
      expect(failed.reason).to.include('could not be reached');
      expect(await failure(run(browser, 'navigate', { url: 'http://nowhere.invalid/' }))).to.include({
        kind: 'page',
      });
      expect(await go('/next')).to.include({ status: 200 });
    });
  });

  describe('interact', () => {
    beforeEach(() => go('/form'));

    it('taps as a finger does', async () => {
      await act({ kind: 'tap', selector: '#go' });
      expect(await read('#log')).to.equal('touchstart;touchend;click;');
      await act({ kind: 'double_tap', selector: '#go' });
      expect(await read('#log')).to.include('dblclick;');
    });

    it('follows a link', async () => {
      await go('/');
      await act({ kind: 'tap', selector: '#next' });
      await wait({ kind: 'url', pattern: '**/next' });
      expect(await read('h1')).to.equal('Next page');
    });

    it('types, clears and replaces', async () => {
      await act({ kind: 'type', selector: '#name', text: 'Grüße, Ada 😀' });
      expect(await read('#name')).to.equal('Grüße, Ada 😀');
      await act({ kind: 'type', selector: '#name', text: '!', delay_ms: 1 });
      expect(await read('#name')).to.equal('Grüße, Ada 😀!');
      await act({ kind: 'type', selector: '#name', text: 'new', clear: true });
      expect(await read('#name')).to.equal('new');
      await act({ kind: 'clear', selector: '#name' });
      expect(await read('#name')).to.equal('');
    });

    it('presses keys with modifiers in the focused element', async () => {
      await act({ kind: 'focus', selector: '#name' });
      await act({ kind: 'press', key: 'a' });
      await act({ kind: 'press', key: 'Enter', modifiers: ['shift'] });
      expect(await read('#name')).to.equal('a');
      expect(await read('#log')).to.equal('enter shift;');
      expect(await failure(act({ kind: 'press', key: 'NoSuchKey' }))).to.include({
        category: 'invalid_request',
      });
    });

    it('selects by value or by text and checks a box once', async () => {
      await act({ kind: 'select', selector: '#size', values: ['Large'] });
      expect(await read('#log')).to.equal('size l;');
      await act({ kind: 'check', selector: '#agree', checked: true });
      await act({ kind: 'check', selector: '#agree', checked: true });
      const schema = { type: 'boolean', 'x-selector': '#agree' };
      expect((await run(browser, 'extract', { schema })).data).to.equal(true);
    });

    it('presses long, drags and swipes', async () => {
      await act({ kind: 'long_press', selector: '#pad', duration_ms: 50 });
      expect(await read('#log')).to.equal('down;up;');
      await act({ kind: 'drag', from: { x: 50, y: 100 }, to: { x: 120, y: 120 } });
      expect(await read('#log')).to.include('moved;');
      await go('/');
      await act({ kind: 'swipe', x1: 100, y1: 500, x2: 100, y2: 100, duration_ms: 50 });
      await act({ kind: 'scroll', delta_y: 50 });
      await act({ kind: 'scroll', selector: '#bottom' });
      expect(await act({ kind: 'tap', x: 10, y: 10 })).to.include({ kind: 'tap' });
    });

    it('reports what it cannot find or do, and its session goes on', async () => {
      const missing = await failure(
        run(browser, 'interact', { action: { kind: 'tap', selector: '#missing' } }, 1_000),
      );
      expect(missing).to.include({ kind: 'timeout', category: 'element_not_found' });
      expect(await failure(act({ kind: 'tap', selector: '!!' }))).to.include({ category: 'invalid_request' });
      expect(await failure(act({ kind: 'tap', x: 9_999, y: 1 }))).to.include({ category: 'invalid_request' });
      expect(await failure(act({ kind: 'type', selector: '#go', text: 'x' }))).to.include({ kind: 'page' });
      const upload = await failure(act({ kind: 'upload', selector: '#name', handle: 'h' }));
      expect(upload).to.include({ kind: 'page', category: 'invalid_request' });
    });

    it('is not held up by dialogs, and goes on in the tab that a link opens', async () => {
      await go('/dialog');
      await act({ kind: 'tap', selector: '#ask' });
      await until(async () => (await title()) !== 'Dialog');
      await go('/window');
      await act({ kind: 'tap', selector: '#other' });
      await wait({ kind: 'url', pattern: '/\\/next$/' });
    });
  });

  describe('wait', () => {
    it('supports every kind of condition', async () => {
      await go('/');
      await wait({ kind: 'selector', selector: '#late' });
      await wait({ kind: 'selector', selector: '#hidden', state: 'attached' });
      await wait({ kind: 'selector', selector: '#hidden', state: 'hidden' });
      await wait({ kind: 'selector', selector: '#none', state: 'detached' });
      await wait({ kind: 'text', text: 'Late news' });
      await wait({ kind: 'text', text: 'Welcome', selector: 'h1' });
      await wait({ kind: 'url', pattern: 'http://127.0.0.1:*/' });
      await wait({ kind: 'load_state', state: 'networkidle' });
      expect(await wait({ kind: 'delay', ms: 20 })).to.include({ matched: true });
    });

    it('times out, and its session goes on', async () => {
      await go('/');
      const late = await failure(wait({ kind: 'selector', selector: '#hidden' }, 150));
      expect(late).to.include({ kind: 'timeout', category: 'condition_not_met' });
      expect(await failure(wait({ kind: 'url', pattern: '/(/' }))).to.include({
        category: 'invalid_request',
      });
    });
  });

  it('gives the state of the page with the whole cookie jar', async () => {
    await go('/');
    const state = await run(browser, 'state_capture', null);
    expect(state).to.deep.include({ url: `${site.url}/`, title: 'Home' });
    const keys = ['theme', 'key', 'length', 'clear', 'toString'];
    expect(state.local_storage).to.deep.equal(Object.fromEntries(keys.map((key) => [key, 'dark'])));
    const secret = state.cookies.find(({ name }) => name === 'secret');
    expect(secret).to.include({
      value: '1',
      httpOnly: true,
      secure: false,
      domain: '127.0.0.1',
      path: '/',
      sameSite: 'Lax',
    });
    expect(secret?.expires).to.be.within(Date.now() + 3_500_000, Date.now() + 3_700_000);
    expect(state.cookies.find(({ name }) => name === 'plain')?.expires).to.equal(null);
  });

  it('captures the viewport, the document and a print', async () => {
    await go('/');
    const shot = await run(browser, 'capture', { kind: 'screenshot' });
    const png = Buffer.from(shot.data, 'base64');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).to.deep.equal([393 * 3, 659 * 3]);
    expect(shot.byte_size).to.equal(png.length);
    const dom = await run(browser, 'capture', { kind: 'dom_snapshot' });
    expect(dom.data).to.match(/^<!DOCTYPE html>\n<html>.*Welcome/s);
    const pdf = await run(browser, 'capture', { kind: 'pdf' });
    expect(Buffer.from(pdf.data, 'base64').toString('latin1', 0, 5)).to.equal('%PDF-');
  });

  it('captures a page that has nothing to scroll and does not move', async () => {
    await go('/next');
    const shot = await run(browser, 'capture', { kind: 'screenshot' });
    expect(Buffer.from(shot.data, 'base64').subarray(1, 4).toString()).to.equal('PNG');
  });

  it('searches with the configured engine', async () => {
    const { results, final_url } = await run(browser, 'search', { query: 'a b&c', limit: 5 });
    expect(final_url).to.equal(`${site.url}/results?q=a%20b%26c`);
    expect(results).to.deep.equal([
      { position: 1, title: 'One', url: `${site.url}/next`, snippet: 'First' },
      { position: 2, title: 'Two', url: `${site.url}/form`, snippet: null },
    ]);
  });

  it('refuses a result that is too large', async () => {
    await go('/big');
    const options = { logger, graceMs: 1_000, maxResultBytes: 100_000 };
    const dispatch = {
      dispatch_id: 'd',
      operation: 'capture' as const,
      input: { kind: 'dom_snapshot' },
      timeout_ms: 5_000,
    };
    expect(await runOperation(browser, dispatch, options)).to.have.nested.property(
      'failure.category',
      'result_too_large',
    );
  });
});
