import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import type { Geolocation } from '../../../contracts/resources/agent-session.ts';
import type { Cookie } from '../../../contracts/resources/session.ts';
import { until } from '../../verification/testbed/index.ts';
import { liveBrowser } from './testing/live-browser.ts';
import { startCaseSite } from './testing/cases/site-case.ts';
import { pages } from './testing/live-pages.ts';

const cookie: Cookie = { domain: '127.0.0.1', name: 'a', value: '1' };

describe('a real browser, beside its operations', () => {
  const live = liveBrowser();
  const { call, ask, got, go, tap, read } = live;
  const state = async () => (await got('page_state', null)).state;

  describe('history', () => {
    const title = async () => (await got('page_state', null)).title;

    it('goes back and forward, and is there when it answers', async () => {
      for (const path of ['/', '/second', '/third']) await go(path);
      const steps = [];
      for (const direction of ['back', 'back', 'forward'] as const) {
        await got('history', { direction });
        steps.push((await got('page_state', null)).url);
      }
      expect(steps).to.deep.equal(['/second', '/', '/second'].map((path) => live.site.origin + path));
    });

    it('goes back where the page has only changed its address, or moved to a part of itself', async () => {
      await go('/');
      await tap('#push');
      await go('/#part');
      await got('history', { direction: 'back' });
      expect((await got('page_state', null)).url).to.equal(`${live.site.origin}/pushed`);
      await got('history', { direction: 'back' });
      expect((await got('page_state', null)).url).to.equal(`${live.site.origin}/`);
    });

    it('says so where there is nothing to go to', async () => {
      await go('/');
      const end = { status: 'error', reason: 'The history of the tab ends there.' };
      expect(await ask('history', { direction: 'forward' })).to.deep.equal(end);
    });

    it('is of the tab that is named', async () => {
      for (const path of ['/', '/popup']) await go(path);
      const opener = (await got('page_state', null)).tabId ?? '';
      await tap('#open');
      await got('history', { direction: 'back', tabId: opener });
      const { tabs } = await live.on.operate(live.session, 'state_capture', null);
      expect(tabs?.find(({ id }) => id === opener)?.url).to.equal(`${live.site.origin}/`);
      const none = await ask('history', { direction: 'back', tabId: `tab_${randomUUID()}` });
      expect(none).to.deep.equal({ status: 'error', reason: 'There is no such tab.' });
    });

    it('gives up on a page that does not come, and stays', async () => {
      for (const path of ['/second', '/third']) await go(path);
      live.site.serve({ ...pages, '/second': () => undefined });
      const answer = await ask('history', { direction: 'back' }, 500);
      live.site.serve(pages);
      expect(answer.status).to.equal('timeout');
      expect(await title()).to.equal('Third');
    });
  });

  describe('where the phone is', () => {
    const located = async (geolocation?: Geolocation) => {
      await live.renew(geolocation && { geolocation });
      await go('/where');
      await live.on.operate(live.session, 'wait', {
        condition: { kind: 'selector', selector: '#place[data-known]' },
      });
      return read('#place');
    };

    it('is what pages are told, without anybody being asked', async () => {
      expect(await located({ latitude: 48.137, longitude: 11.575, accuracy: 8 })).to.equal(
        '48.137 11.575 8 granted',
      );
      expect(await located({ latitude: -90, longitude: 180 })).to.equal('-90 180 20 granted');
    });

    it('is told of no page where it was not said', async () => {
      expect(await located()).to.match(/^refused 1 /);
    });
  });

  describe('page state', () => {
    it('tells a page that is there', async () => {
      await go('/second');
      const { tabId, ...seen } = await got('page_state', null);
      expect(seen).to.deep.equal({
        state: 'loaded',
        url: `${live.site.origin}/second`,
        title: 'Second',
        error: null,
      });
      expect(tabId).to.match(/^tab_/);
    });

    it('tells a page that is on its way, while the operation waits for it', async () => {
      const slow = go('/slow');
      await until(async () => (await state()) === 'loading');
      await slow;
      expect(await state()).to.equal('loaded');
    });

    it('tells that the last load brought no page, and why', async () => {
      await go('/');
      const dead = await startCaseSite();
      await dead.close();
      await live.on.operate(live.session, 'navigate', { url: dead.origin }).catch(() => undefined);
      const { state: failed, error } = await got('page_state', null);
      expect([failed, error?.kind]).to.deep.equal(['errored', 'load_failed']);
      expect(error?.message).to.include('could not be reached');
      await go('/second');
      expect(await state()).to.equal('loaded');
    });

    it('tells a page whose script never ends while the tap waits for it, and does so soon', async () => {
      await go('/loop');
      const tapping = tap('#loop', 6_000).catch(() => undefined);
      await until(async () => (await state()) === 'stalled');
      const again = await ask('page_state', null, 500);
      expect(again).to.have.nested.property('result.state', 'stalled');
      await tapping;
    });
  });

  describe('cookies', () => {
    it('are set and read with all that they have, and are sent to their site', async () => {
      const expires = Math.floor(Date.now() / 1000) * 1000 + 3_600_000;
      const given: Cookie[] = [
        cookie,
        {
          domain: '.example.com',
          name: 'b',
          value: 'x=y',
          path: '/in',
          expires,
          httpOnly: true,
          secure: true,
          sameSite: 'Strict',
        },
      ];
      await got('cookies_set', { cookies: given });
      const { cookies } = await got('cookies', null);
      expect(cookies).to.have.deep.members([
        { ...cookie, path: '/', expires: null, httpOnly: false, secure: false, sameSite: 'None' },
        given[1],
      ]);
      let sent: string | undefined;
      live.site.serve({ '/': (request, reply) => ((sent = request.headers.cookie), void reply.end()) });
      await go('/');
      live.site.serve(pages);
      expect(sent).to.equal('a=1');
    });

    it('that are read can be set again', async () => {
      await got('cookies_set', { cookies: [cookie, { ...cookie, name: 'b', sameSite: 'Lax' }] });
      const before = await got('cookies', null);
      await got('cookies_set', before);
      expect((await got('cookies', null)).cookies).to.have.deep.members(before.cookies);
    });

    it('replace those of the same name, and remove them where their time is over', async () => {
      await got('cookies_set', { cookies: [cookie] });
      await got('cookies_set', { cookies: [{ ...cookie, value: '2' }] });
      expect((await got('cookies', null)).cookies.map(({ value }) => value)).to.deep.equal(['2']);
      await got('cookies_set', { cookies: [{ ...cookie, expires: 1_000 }] });
      expect((await got('cookies', null)).cookies).to.deep.equal([]);
    });

    for (const [wrong, bad] of [
      ['has no domain', { ...cookie, domain: '' }],
      ['has a line break in its value', { ...cookie, value: 'a\nb' }],
      ['is for all of .com, which the browser refuses', { ...cookie, domain: '.com' }],
    ] as const) {
      it(`are all left as they were when one of them ${wrong}`, async () => {
        await got('cookies_set', { cookies: [cookie] });
        const answer = await ask('cookies_set', {
          cookies: [{ ...cookie, value: '2' }, { ...cookie, name: 'new' }, bad],
        });
        expect(answer.status).to.equal('error');
        const left = (await got('cookies', null)).cookies.map(({ name, value }) => [name, value]);
        expect(left).to.deep.equal([['a', '1']]);
      });
    }

    it('are two thousand at once, and no more', async () => {
      const many = (count: number) =>
        Array.from({ length: count }, (_, index) => ({ ...cookie, name: `c${index}` }));
      await got('cookies_set', { cookies: many(2_000) });
      expect((await got('cookies', null)).cookies).to.have.length(2_000);
      expect((await ask('cookies_set', { cookies: many(2_001) })).status).to.equal('error');
      expect((await ask('cookies_set', { cookies: [] })).status).to.equal('error');
    });
  });

  it('is unavailable without a browser', async () => {
    const gone = { ...call(), session: toId('session', randomUUID()) };
    const none = { status: 'unavailable', reason: 'The session has no browser.' };
    expect(await live.on.fleet.live(gone, 'page_state', null)).to.deep.equal(none);
    expect(await live.on.fleet.download(gone, 'a')).to.deep.equal(none);
    const file = { ...gone, account: toId('account', randomUUID()), name: 'a', mime: '', size: 1 };
    expect(await live.on.fleet.putFile(file, Readable.from([Buffer.from('x')]))).to.deep.equal(none);
  });
});
