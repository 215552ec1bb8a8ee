import { until } from '../../../../verification/testbed/index.ts';
import type { Case, Hands } from './site-case.ts';

const opener = (script: string) =>
  `<title>Home</title><button id="open" onclick="${script}">Open</button><p id="got"></p><script>
     onmessage = (event) => { got.textContent = event.data; };</script>`;
const pop = `<title>Pop</title><input id="field"><a id="on" href="/last">On</a>
  <button id="done" onclick="opener.postMessage('token', '*'); window.close()">Done</button>
  <button id="down" ontouchstart="window.close()" onmousedown="window.close()">Down</button>
  <p id="seen"></p><script>seen.textContent = [!!opener, innerWidth, navigator.platform, document.visibilityState]</script>`;
const last = '<title>Last</title>';
const pages = { '/': opener(`window.popup = window.open('/pop')`), '/pop': pop, '/last': last };
const titles = async (on: Hands) => (await on.tabs()).map(({ title }) => title);
/** The titles of the tabs once each page has loaded. */
const named = (on: Hands) =>
  until(async () => {
    const all = await titles(on);
    return !all.includes('') && all;
  });
const listening = (script: string) =>
  `<title>Home</title><button id="open">Open</button><script>const button = document.querySelector('#open'); ${script}</script>`;
const opens = (says: string, script: string, gives: unknown = ['Home', 'Last']): Case => ({
  says,
  pages: { '/': listening(script), '/last': last },
  does: async (on) => {
    await on.tap('#open');
    await on.wait({ kind: 'delay', ms: 60 });
    await on.wait({ kind: 'load_state', state: 'load' });
    return named(on);
  },
  gives,
});

/** Ways to open a tab, and what the tab then does. */
export const popups: readonly Case[] = [
  opens(
    'a tab is opened by a touch that has ended',
    `button.addEventListener('touchend', () => window.open('/last'))`,
  ),
  opens(
    'a tab is opened by a pointer that has come up',
    `button.addEventListener('pointerup', () => window.open('/last'))`,
  ),
  opens(
    'a tab is opened a moment after a touch',
    `button.onclick = () => setTimeout(() => window.open('/last'), 10)`,
  ),
  opens(
    'a tab is opened by a promise after a touch',
    `button.onclick = async () => { await null; window.open('/last') }`,
  ),
  opens(
    'a tab that is opened without an opener has none',
    `button.onclick = () => { window.open('/last', '_blank', 'noopener') }`,
  ),
  opens(
    'a tab that is closed by who opened it leaves that in front',
    `button.onclick = () => { const tab = window.open('/last'); setTimeout(() => tab.close(), 20) }`,
    ['Home'],
  ),
  {
    says: 'a tab that closes itself while it is printed leaves that in front, and no print',
    pages: {
      '/': listening(`button.onclick = () => window.open('/print')`),
      '/print': `<title>Print</title><script>onbeforeprint = () => window.close();</script>`,
    },
    does: async (on) => {
      await on.tap('#open');
      await on.wait({ kind: 'load_state', state: 'load' });
      return [await on.failure(on.capture('pdf')), await titles(on)];
    },
    gives: ['page capture_failed: The page changed or failed while it was being used.', ['Home']],
  },
  {
    says: 'a key opens a tab too',
    pages: { '/': `<title>Home</title><a id="a" href="/last" target="_blank">A</a>`, '/last': last },
    does: async (on) => {
      await on.act({ kind: 'press', key: 'Enter', selector: '#a' });
      return titles(on);
    },
    gives: ['Home', 'Last'],
  },
  {
    says: 'a form that is submitted into a new tab sends its fields',
    pages: {
      '/': `<form action="/got" method="post" target="_blank"><input name="a" value="1"><button id="open">Go</button></form>`,
      '/got': (request, reply) => {
        let body = '';
        request.on('data', (part) => (body += String(part)));
        request.on('end', () =>
          reply
            .writeHead(200, { 'content-type': 'text/html' })
            .end(`<title>${request.method} ${body}</title>`),
        );
      },
    },
    does: async (on) => (await on.tap('#open'), on.title()),
    gives: 'POST a=1',
  },
  {
    says: 'a link in a frame with target=_top replaces the whole page',
    pages: {
      '/': '<title>Home</title><iframe id="f" src="/inner"></iframe>',
      '/inner': '<a id="a" href="/last" target="_top">A</a>',
      '/last': last,
    },
    does: async (on) => {
      await on.act({ kind: 'tap', selector: '#a', frame: '#f' });
      return on.title();
    },
    gives: 'Last',
  },
  {
    says: 'a tab that is opened for a file is closed when the file is stored',
    pages: {
      '/': '<title>Home</title><a id="open" target="_blank" href="/file">Get</a>',
      '/file': (_request, reply) =>
        void reply
          .writeHead(200, {
            'content-type': 'text/csv',
            'content-disposition': 'attachment; filename="opened.csv"',
          })
          .end('a,b'),
    },
    does: async (on) => {
      const { downloads } = await on.tap('#open');
      return [downloads?.map(({ name, state }) => [name, state]), await titles(on)];
    },
    gives: [[['opened.csv', 'finished']], ['Home']],
  },
  {
    says: 'an opened page has its opener, the size and the identity of the phone, and is visible',
    pages,
    does: async (on) => (await on.tap('#open'), on.read('#seen')),
    gives: 'true,393,iPhone,visible',
  },
  {
    says: 'open() returns the window to its caller',
    pages: { ...pages, '/': opener(`document.title = String(!!window.open('/pop') )`) },
    does: async (on) => {
      await on.tap('#open');
      await on.act({ kind: 'close_tab' });
      return on.title();
    },
    gives: 'true',
  },
  {
    says: 'a sign-in tab that closes itself passes its answer to its opener, which is in front again',
    pages,
    does: async (on) => {
      await on.tap('#open');
      await on.tap('#done');
      return [await on.title(), await on.read('#got'), (await on.tabs()).length];
    },
    gives: ['Home', 'token', 1],
  },
  {
    says: 'a tab that closes under the finger does not affect the next page',
    pages,
    does: async (on) => {
      await on.tap('#open');
      await on.tap('#down');
      const { tab_id } = await on.tap('#open');
      return [tab_id !== undefined, await on.title()];
    },
    gives: [true, 'Pop'],
  },
  {
    says: 'an opener writes into the page it opened',
    pages: { '/': opener(`window.open('').document.write('<title>Written</title>')`) },
    does: async (on) => (await on.tap('#open'), on.title()),
    gives: 'Written',
  },
  {
    says: 'a page that is opened without an address has the identity of the phone from its first script on',
    pages: {
      '/': opener(
        `window.open('').document.write('<title>Blank</title><p id=seen></p><script>seen.textContent = [navigator.platform, navigator.maxTouchPoints, matchMedia(\\'(hover)\\').matches, screen.width]</' + 'script>')`,
      ),
    },
    does: async (on) => (await on.tap('#open'), on.read('#seen')),
    gives: 'iPhone,5,false,393',
  },
  {
    says: 'a page that is opened without an address gets touches like any other',
    pages: {
      '/': opener(
        `window.open('about:blank').document.write('<title>Blank</title><button id=b>Go</button><p id=seen></p><script>for (const type of [\\'pointerdown\\', \\'touchstart\\', \\'click\\']) b.addEventListener(type, (e) => { seen.textContent += e.type + (e.pointerType ?? \\'\\') + \\' \\' })</' + 'script>')`,
      ),
    },
    does: async (on) => (await on.tap('#open'), await on.tap('#b'), on.read('#seen')),
    gives: 'pointerdowntouch touchstart clicktouch',
  },
  {
    says: 'an opener can navigate the page that it opened',
    pages: { ...pages, '/': opener(`const w = window.open(''); w.location = '/last'`) },
    does: async (on) => {
      await on.tap('#open');
      await on.wait({ kind: 'url', pattern: '**/last' });
      return on.title();
    },
    gives: 'Last',
  },
  {
    says: 'target=_blank opens a tab',
    pages: { '/': '<title>Home</title><a id="open" target="_blank" href="/last">Open</a>', '/last': last },
    does: async (on) => (await on.tap('#open'), (await on.tabs()).map(({ title }) => title)),
    gives: ['Home', 'Last'],
  },
  {
    says: 'a form with target=_blank opens a tab',
    pages: {
      '/': '<form action="/last" target="_blank"><button id="open">Go</button></form>',
      '/last': last,
    },
    does: async (on) => (await on.tap('#open'), on.title()),
    gives: 'Last',
  },
  {
    says: 'a page on another host can be opened, and answers its opener',
    pages: {
      '/': opener(`window.open('http://127.0.0.2:' + location.port + '/pop')`),
      '/pop': pop,
    },
    does: async (on) => {
      await on.tap('#open');
      await on.tap('#done');
      return on.read('#got');
    },
    gives: 'token',
  },
  {
    says: 'a page opens nothing without a touch',
    pages: { '/': `<script>document.title = String(window.open('/last'))</script>`, '/last': last },
    does: async (on) => [await on.title(), (await on.tabs()).length],
    gives: ['null', 1],
  },
  {
    says: 'a page opens nothing by a click of its own',
    pages: { '/': `<a id="a" target="_blank" href="/last">x</a><script>a.click()</script>`, '/last': last },
    does: async (on) => (
      await on.wait({ kind: 'load_state', state: 'networkidle' }),
      (await on.tabs()).length
    ),
    gives: 1,
  },
  {
    says: 'a touch opens one tab at most',
    pages: {
      ...pages,
      '/': opener(`document.title = [window.open('/pop'), window.open('/pop')].map(Boolean)`),
    },
    does: async (on) => (await on.tap('#open'), (await on.tabs()).length),
    gives: 2,
  },
  {
    says: 'each action that is no touch may open one, too',
    pages: {
      ...pages,
      '/': `<title>Home</title><select id="s" onchange="document.title += Boolean(window.open('/pop'))"><option>A<option>B<option>C</select>`,
    },
    does: async (on) => {
      for (const text of ['B', 'C']) {
        await on.act({ kind: 'select', selector: '#s', values: [text] });
        await on.act({ kind: 'close_tab' });
      }
      return on.title();
    },
    gives: 'Hometruetrue',
  },
  {
    says: 'a session has ten tabs at most',
    pages: { '/': '<title>Home</title><a id="open" target="_blank" href="/">Open</a>' },
    does: async (on) => {
      for (let opened = 0; opened < 11; opened += 1) await on.tap('#open');
      return (await on.tabs()).length;
    },
    gives: 10,
  },
  {
    says: 'an opened page does not see its opener after that is closed',
    pages: {
      ...pages,
      '/pop': `<button id="ask" onclick="document.title = String(!opener || opener.closed)">Ask</button>`,
    },
    does: async (on) => {
      await on.tap('#open');
      const [first] = await on.tabs();
      await on.act({ kind: 'close_tab', tab_id: first?.id ?? '' });
      await on.tap('#ask');
      return on.title();
    },
    gives: 'true',
  },
];
