import { randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import type { Cookie } from '../../../contracts/resources/session.ts';
import { until } from '../../verification/testbed/index.ts';
import { digest, page, pages } from './testing/live-pages.ts';
import { startCaseSite } from './testing/cases/site-case.ts';
import { withSessions } from './testing/node-suite.ts';

const account = toId('account', randomUUID());
const cookie: Cookie = { domain: '127.0.0.1', name: 'a', value: '1' };
describe('a real browser, beside its operations', () => {
  const suite = withSessions(pages);
  const { call, ask, got, go, read } = suite;
  const tap = (selector: string, timeoutMs?: number) =>
    suite.on.operate(suite.session, 'interact', { action: { kind: 'tap', selector } }, timeoutMs);
  const put = (name: string, content: Uint8Array, mime = 'text/plain') =>
    suite.on.fleet.putFile(
      { ...call(20_000), account, name, mime, size: content.length },
      Readable.from([content]),
    );
  const choose = (handle: string, asked: { readonly strict?: true } = {}) => {
    const action = { kind: 'upload', selector: '#file', handle } as const;
    return suite.on.operate(suite.session, 'interact', { action, ...asked }, 30_000);
  };
  const state = async () => (await got('page_state', null)).state;

  describe('page state', () => {
    it('reports a page that has loaded', async () => {
      await go('/second');
      const { tabId, ...seen } = await got('page_state', null);
      expect(seen).to.deep.equal({
        state: 'loaded',
        url: `${suite.site.origin}/second`,
        title: 'Second',
        error: null,
      });
      expect(tabId).to.match(/^tab_/);
    });

    it('reports a page that is loading while the operation waits for it', async () => {
      const slow = go('/slow');
      await until(async () => (await state()) === 'loading');
      await slow;
      expect(await state()).to.equal('loaded');
    });

    it('reports that the last load failed, and why', async () => {
      await go('/');
      const dead = await startCaseSite();
      await dead.close();
      await suite.on.operate(suite.session, 'navigate', { url: dead.origin }).catch(() => undefined);
      const { state: failed, error } = await got('page_state', null);
      expect([failed, error?.kind]).to.deep.equal(['errored', 'load_failed']);
      expect(error?.message).to.include('could not be reached');
      await go('/second');
      expect(await state()).to.equal('loaded');
    });

    it('reports a page whose script never ends, promptly and even while a tap waits for it', async () => {
      await go('/loop');
      const tapping = tap('#loop', 6_000).catch(() => undefined);
      await until(async () => (await state()) === 'stalled');
      const again = await ask('page_state', null, 500);
      expect(again).to.have.nested.property('result.state', 'stalled');
      await tapping;
    });
  });

  it('finds the same element by each of its names', async () => {
    await go('/');
    const ref = (await got('observe', null)).elements.find(({ name }) => name === 'Push')?.ref ?? '';
    const named = [{ ref }, { text: 'push' }, { selector: 'button' }, { role: 'button', name: 'Push' }];
    for (const target of named)
      expect(await got('meet', target)).to.deep.equal({ selector: '#push', text: 'Push', role: 'button' });
    expect(await ask('meet', { selector: 'input' })).to.have.property('status', 'error');
  });

  describe('cookies', () => {
    it('are set and read with all attributes, and are sent to their site', async () => {
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
      suite.site.serve({ '/': (request, reply) => ((sent = request.headers.cookie), void reply.end()) });
      await go('/');
      suite.site.serve(pages);
      expect(sent).to.equal('a=1');
    });

    it('that are read can be set again', async () => {
      await got('cookies_set', { cookies: [cookie, { ...cookie, name: 'b', sameSite: 'Lax' }] });
      const before = await got('cookies', null);
      await got('cookies_set', before);
      expect((await got('cookies', null)).cookies).to.have.deep.members(before.cookies);
    });

    it('are the same in another browser, also those that other browsers refuse', async () => {
      const odd = [
        'nameless',
        'a,b=1',
        'two words=1',
        '__Secure-a=1',
        '__Host-b=1',
        `long=${'x'.repeat(5_000)}`,
      ];
      const at = (path: string) => odd.map((text, index) => `${text}; path=/${path}${index}`);
      const script = [...at('script'), 'del\u007f=1\u007f; path=/\u007f'].map(
        (text) => `document.cookie = ${JSON.stringify(text)};`,
      );
      const odder = page('Odd', `<script>${script.join('')}</script>`);
      suite.site.serve({
        '/': (_request, reply) => void reply.setHeader('set-cookie', at('header')).end(odder),
      });
      await go('/');
      suite.site.serve(pages);
      const { cookies } = await got('cookies', null);
      const names = ['', '', 'two words', '__Secure-a', '__Host-b', 'long'];
      expect(cookies.map(({ name }) => name)).to.have.members([...names, ...names, 'del\u007f']);
      await suite.renew();
      await got('cookies_set', { cookies });
      expect((await got('cookies', null)).cookies).to.have.deep.members(cookies);
    });

    it('replace those of the same name, and remove expired ones', async () => {
      await got('cookies_set', { cookies: [cookie] });
      await got('cookies_set', { cookies: [{ ...cookie, value: '2' }] });
      expect((await got('cookies', null)).cookies.map(({ value }) => value)).to.deep.equal(['2']);
      await got('cookies_set', { cookies: [{ ...cookie, expires: 1_000 }] });
      expect((await got('cookies', null)).cookies).to.deep.equal([]);
    });

    it('are listed until they expire, in the state of the session too', async () => {
      const cookies = async () => {
        const { cookies: captured } = await suite.on.operate(suite.session, 'state_capture', null);
        return [captured, (await got('cookies', null)).cookies].map((jar) => jar.map(({ name }) => name));
      };
      const soon = { ...cookie, name: 'soon', expires: Date.now() + 2_000 };
      await got('cookies_set', { cookies: [cookie, soon] });
      await until(async () => (await cookies()).flat().join() === 'a,a');
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

    it('are two thousand at most in one request', async () => {
      const many = (count: number, value = 'v') =>
        Array.from({ length: count }, (_, index) => ({ ...cookie, value, name: `c${index}` }));
      await got('cookies_set', { cookies: many(2_000, 'v'.repeat(4_000)) });
      await got('cookies_set', { cookies: many(2_000) });
      expect((await got('cookies', null)).cookies).to.have.length(2_000);
      for (const cookies of [many(2_001), []])
        expect((await ask('cookies_set', { cookies })).status).to.equal('error');
    });
  });

  describe('files', () => {
    const handleOf = async (name: string, content: Uint8Array, mime?: string) => {
      const answer = await put(name, content, mime);
      if (answer.status !== 'ok') throw new Error(answer.reason);
      return answer.result;
    };

    it('are chosen by their handle, with name, type and content', async () => {
      await go('/');
      const content = randomBytes(5_000_001);
      const handle = await handleOf('a photo.jpg', content, 'image/jpeg');
      expect(handle).to.include({ name: 'a photo.jpg', mime: 'image/jpeg', size: content.length });
      await choose(handle.id);
      const seen = await until(async () => (await read('#seen')) || false);
      expect(seen).to.equal(`a photo.jpg image/jpeg ${content.length} ${digest(content)}`);
    });

    it('are chosen by an agent too, whose result describes the field', async () => {
      await go('/');
      const { id } = await handleOf('a.txt', Buffer.from('x'));
      expect((await choose(id, { strict: true })).met).to.include({ selector: '#file' });
      const seen = await until(async () => (await read('#seen')) || false);
      expect(seen).to.equal(`a.txt text/plain 1 ${digest(Buffer.from('x'))}`);
    });

    it('have names without a path', async () => {
      const names = ['../../etc/passwd', 'C:\\dir\\a.txt', '..', 'a\u0000b', '.profile'];
      const handles = await Promise.all(names.map((name) => handleOf(name, Buffer.from('x'))));
      expect(handles.map(({ name }) => name)).to.deep.equal(['passwd', 'a.txt', 'file', 'a_b', 'profile']);
    });

    it('cannot be chosen by an unknown handle, or by one of another session', async () => {
      const { id } = await handleOf('a.txt', Buffer.from('x'));
      await suite.renew();
      await go('/');
      for (const handle of ['file_1', id]) {
        const refused = await choose(handle).catch((error: unknown) => String(error));
        expect(refused).to.include('no file of this handle');
      }
    });

    it('are accepted while an operation is under way', async () => {
      const slow = go('/slow');
      expect((await put('a.txt', Buffer.from('x'))).status).to.equal('ok');
      await slow;
    });
  });

  describe('downloads', () => {
    const fetched = async (name: string) => {
      const answer = await suite.on.fleet.download(call(), name);
      if (answer.status !== 'ok') return answer.reason;
      const { content, ...entry } = answer.result;
      return [entry, (await buffer(content)).toString()];
    };

    it('are listed and fetched', async () => {
      await go('/report.csv');
      const entry = { name: 'report.csv', size: 8, mime: 'text/csv' };
      expect(await got('downloads', null)).to.deep.equal({ files: [entry] });
      expect(await fetched('report.csv')).to.deep.equal([entry, 'a,b\n1,2\n']);
    });

    it('may be empty', async () => {
      await go('/empty.bin');
      expect(await fetched('empty.bin')).to.deep.equal([
        { name: 'empty.bin', size: 0, mime: 'application/x-thing' },
        '',
      ]);
    });

    it('are fetched by names without a path, and only if they were stored', async () => {
      await go('/report.csv');
      expect(await fetched('../downloads/report.csv')).to.be.an('array');
      for (const name of ['../service.js', 'service.js', '..', ''])
        expect(await fetched(name), name).to.equal('There is no such download.');
    });
  });

  it('is unavailable without a browser', async () => {
    const gone = { ...call(), session: toId('session', randomUUID()) };
    const none = { status: 'unavailable', reason: 'The session has no browser.' };
    expect(await suite.on.fleet.live(gone, 'page_state', null)).to.deep.equal(none);
    expect(await suite.on.fleet.download(gone, 'a')).to.deep.equal(none);
    const file = { ...gone, account, name: 'a', mime: '', size: 1 };
    expect(await suite.on.fleet.putFile(file, Readable.from([Buffer.from('x')]))).to.deep.equal(none);
  });
});
