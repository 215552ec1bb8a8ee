import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { until } from '../../verification/testbed/index.ts';
import { pages } from './testing/live-pages.ts';
import { withSessions } from './testing/node-suite.ts';

describe('the history of a tab of a real browser', () => {
  const suite = withSessions(pages);
  const { ask, got, go, read } = suite;
  const tap = (selector: string) =>
    suite.on.operate(suite.session, 'interact', { action: { kind: 'tap', selector } });
  const title = async () => (await got('page_state', null)).title;

  it('goes back and forward, and answers once the page is shown', async () => {
    for (const path of ['/', '/second', '/third']) await go(path);
    const steps = [];
    for (const direction of ['back', 'back', 'forward'] as const) {
      await got('history', { direction });
      steps.push((await got('page_state', null)).url);
    }
    expect(steps).to.deep.equal(['/second', '/', '/second'].map((path) => suite.site.origin + path));
  });

  it('goes back if the page has only changed its address, or moved to a fragment', async () => {
    await go('/');
    await tap('#push');
    await go('/#part');
    await got('history', { direction: 'back' });
    expect((await got('page_state', null)).url).to.equal(`${suite.site.origin}/pushed`);
    await got('history', { direction: 'back' });
    expect((await got('page_state', null)).url).to.equal(`${suite.site.origin}/`);
  });

  it('goes back in a frame, while the page stays', async () => {
    const inFrame = () => read('#seen');
    await go('/framed');
    await tap('#third');
    await until(async () => (await inFrame()) === 'Third');
    await got('history', { direction: 'back' });
    await until(async () => (await inFrame()) === 'Second');
    expect(await title()).to.equal('Framed');
  });

  it('fails if there is no such entry', async () => {
    await go('/');
    const end = { status: 'error', reason: 'The history of the tab ends there.' };
    expect(await ask('history', { direction: 'forward' })).to.deep.equal(end);
  });

  it('is that of the named tab', async () => {
    for (const path of ['/', '/popup']) await go(path);
    const opener = (await got('page_state', null)).tabId ?? '';
    await tap('#open');
    await got('history', { direction: 'back', tabId: opener });
    const { tabs } = await suite.on.operate(suite.session, 'state_capture', null);
    expect(tabs?.find(({ id }) => id === opener)?.url).to.equal(`${suite.site.origin}/`);
    const none = await ask('history', { direction: 'back', tabId: `tab_${randomUUID()}` });
    expect(none).to.deep.equal({ status: 'error', reason: 'There is no such tab.' });
  });

  it('times out on a page that does not load, and stays on the current one', async () => {
    for (const path of ['/second', '/third']) await go(path);
    suite.site.serve({ ...pages, '/second': () => undefined });
    const answer = await ask('history', { direction: 'back' }, 500);
    suite.site.serve(pages);
    expect(answer.status).to.equal('timeout');
    expect(await title()).to.equal('Third');
  });
});
