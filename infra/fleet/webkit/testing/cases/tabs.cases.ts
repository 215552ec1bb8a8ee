import type { Case } from './site-case.ts';

const opener = (script: string) =>
  `<title>Home</title><button id="open" onclick="${script}">Open</button><p id="got"></p><script>
     onmessage = (event) => { got.textContent = event.data; };</script>`;
const pop = `<title>Pop</title><input id="field"><a id="on" href="/last">On</a>
  <button id="done" onclick="opener.postMessage('token', '*'); window.close()">Done</button>
  <button id="down" ontouchstart="window.close()" onmousedown="window.close()">Down</button>
  <p id="seen"></p><script>seen.textContent = [!!opener, innerWidth, navigator.platform, document.visibilityState]</script>`;
const last = '<title>Last</title>';
const pages = { '/': opener(`window.popup = window.open('/pop')`), '/pop': pop, '/last': last };

export const tabs: readonly Case[] = [
  {
    says: 'a page has one tab, which is active and has no opener',
    pages,
    does: async (on) => (await on.tabs()).map(({ title, opener_id, active }) => [title, opener_id, active]),
    gives: [['Home', null, true]],
  },
  {
    says: 'a tab that a touch opens is in front, and named in the result',
    pages,
    does: async (on) => {
      const { tab_id } = await on.tap('#open');
      const [first, second] = await on.tabs();
      return [tab_id === second?.id, second?.opener_id === first?.id, first?.active, second?.active];
    },
    gives: [true, true, false, true],
  },
  {
    says: 'an action that opens no tab names none',
    pages,
    does: async (on) => 'tab_id' in (await on.tap('html')),
    gives: false,
  },
  {
    says: 'a page that is opened has its opener, the size and the identity of the phone, and is visible',
    pages,
    does: async (on) => (await on.tap('#open'), on.read('#seen')),
    gives: 'true,393,iPhone,visible',
  },
  {
    says: 'open() gives the window to the page that called it',
    pages: { ...pages, '/': opener(`document.title = String(!!window.open('/pop') )`) },
    does: async (on) => {
      await on.tap('#open');
      await on.act({ kind: 'close_tab' });
      return on.title();
    },
    gives: 'true',
  },
  {
    says: 'a sign-in that closes itself gives its answer to its opener, which is in front again',
    pages,
    does: async (on) => {
      await on.tap('#open');
      await on.tap('#done');
      return [await on.title(), await on.read('#got'), (await on.tabs()).length];
    },
    gives: ['Home', 'token', 1],
  },
  {
    says: 'a tab that closes under the finger leaves nothing to the next page',
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
    says: 'a page that is opened without an address is the phone it is opened on, from its first script on',
    pages: {
      '/': opener(
        `window.open('').document.write('<title>Blank</title><p id=seen></p><script>seen.textContent = [navigator.platform, navigator.maxTouchPoints, matchMedia(\\'(hover)\\').matches, screen.width]</' + 'script>')`,
      ),
    },
    does: async (on) => (await on.tap('#open'), on.read('#seen')),
    gives: 'iPhone,5,false,393',
  },
  {
    says: 'a page that is opened without an address is touched as any other',
    pages: {
      '/': opener(
        `window.open('about:blank').document.write('<title>Blank</title><button id=b>Go</button><p id=seen></p><script>for (const type of [\\'pointerdown\\', \\'touchstart\\', \\'click\\']) b.addEventListener(type, (e) => { seen.textContent += e.type + (e.pointerType ?? \\'\\') + \\' \\' })</' + 'script>')`,
      ),
    },
    does: async (on) => (await on.tap('#open'), await on.tap('#b'), on.read('#seen')),
    gives: 'pointerdowntouch touchstart clicktouch',
  },
  {
    says: 'a frame without an address is the phone it is on, from its first script on',
    pages: {
      '/': `<title>Home</title><p id="seen"></p><script>const frame = document.createElement('iframe');
        document.body.append(frame); seen.textContent = frame.contentWindow.navigator.platform</script>`,
    },
    does: (on) => on.read('#seen'),
    gives: 'iPhone',
  },
  {
    says: 'an opener sends the page it opened elsewhere',
    pages: { ...pages, '/': opener(`const w = window.open(''); w.location = '/last'`) },
    does: async (on) => {
      await on.tap('#open');
      await on.wait({ kind: 'url', pattern: '**/last' });
      return on.title();
    },
    gives: 'Last',
  },
  {
    says: 'what is typed goes into the tab in front',
    pages,
    does: async (on) => {
      await on.tap('#open');
      await on.act({ kind: 'type', selector: '#field', text: 'Ada' });
      return on.read('#field');
    },
    gives: 'Ada',
  },
  {
    says: 'a tab that comes to the front has the focus, and the one behind it has not',
    pages,
    does: async (on) => {
      await on.tap('#open');
      await on.act({ kind: 'focus', selector: '#field' });
      await on.wait({ kind: 'selector', selector: '#field:focus' });
      await on.act({ kind: 'press', key: 'x' });
      return on.read('#field');
    },
    gives: 'x',
  },
  {
    says: 'a link follows within the tab in front',
    pages,
    does: async (on) => {
      await on.tap('#open');
      await on.tap('#on');
      return (await on.tabs()).map(({ title }) => title);
    },
    gives: ['Home', 'Last'],
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
    says: 'a tab with a name is used again',
    pages: {
      ...pages,
      '/': `<a id="open" target="other" href="/pop">1</a><a id="again" target="other" href="/last">2</a>`,
    },
    does: async (on) => {
      await on.tap('#open');
      const [first] = await on.tabs();
      await on.act({ kind: 'activate_tab', tab_id: first?.id ?? '' });
      await on.tap('#again');
      return (await on.tabs()).length;
    },
    gives: 2,
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
    says: 'a session has ten tabs at most',
    pages: { '/': '<title>Home</title><a id="open" target="_blank" href="/">Open</a>' },
    does: async (on) => {
      for (let opened = 0; opened < 11; opened += 1) await on.tap('#open');
      return (await on.tabs()).length;
    },
    gives: 10,
  },
  {
    says: 'a tab is brought to the front, and operations are for it',
    pages,
    does: async (on) => {
      await on.tap('#open');
      const [first, second] = await on.tabs();
      const { tab_id, summary } = await on.act({ kind: 'activate_tab', tab_id: first?.id ?? '' });
      const home = await on.title();
      await on.act({ kind: 'activate_tab', tab_id: second?.id ?? '' });
      return [tab_id === first?.id, summary, home, await on.title()];
    },
    gives: [true, 'Brought the tab to the front.', 'Home', 'Pop'],
  },
  {
    says: 'a tab behind the one in front is closed without a change of that',
    pages,
    does: async (on) => {
      await on.tap('#open');
      const [first] = await on.tabs();
      const { tab_id } = await on.act({ kind: 'close_tab', tab_id: first?.id ?? '' });
      return [tab_id, (await on.tabs()).map(({ title }) => title)];
    },
    gives: [undefined, ['Pop']],
  },
  {
    says: 'an opener that is closed is not known to its page any more',
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
  {
    says: 'the last tab is not closed',
    pages,
    does: (on) => on.failure(on.act({ kind: 'close_tab' })),
    gives: 'page invalid_request: The last tab of a session cannot be closed.',
  },
  {
    says: 'a page does not close the last tab',
    pages: { '/': `<title>Home</title><button id="close" onclick="window.close()">Close</button>` },
    does: async (on) => (await on.tap('#close'), [await on.title(), (await on.tabs()).length]),
    gives: ['Home', 1],
  },
  {
    says: 'a tab that is not there is not brought to the front',
    pages,
    does: (on) =>
      on.failure(on.act({ kind: 'activate_tab', tab_id: 'tab_00000000-0000-0000-0000-000000000000' })),
    gives: 'page invalid_request: There is no such tab.',
  },
  {
    says: 'a tab that a page opens later is met by what waits',
    pages: { ...pages, '/': opener(`setTimeout(() => window.open('/pop'), 300)`) },
    does: async (on) => {
      await on.tap('#open');
      await on.wait({ kind: 'url', pattern: '**/pop' });
      return on.title();
    },
    gives: 'Pop',
  },
  {
    says: 'a dialog of a tab that was opened is answered and listed',
    pages: {
      '/': opener(`window.open('/pop')`),
      '/pop': `<p>Pop</p><script>document.title = confirm('Sure?')</script>`,
    },
    does: async (on) => {
      const { dialogs } = await on.tap('#open');
      const late = await on.tap('p');
      return [...(dialogs ?? []), ...(late.dialogs ?? [])].map(({ type, accepted }) => [type, accepted]);
    },
    gives: [['confirm', false]],
  },
  {
    says: 'cookies of one tab are those of the other',
    pages: { ...pages, '/pop': `<script>document.cookie = 'signed=in'</script>` },
    does: async (on) => (
      await on.tap('#open'),
      await on.wait({ kind: 'load_state', state: 'load' }),
      (await on.state()).cookies.find(({ name }) => name === 'signed')?.value
    ),
    gives: 'in',
  },
  {
    says: 'a capture shows the tab in front',
    pages: { '/': opener(`window.open('/pop')`), '/pop': '<title>Pop</title>' },
    does: async (on) => (
      await on.tap('#open'),
      (await on.capture('dom_snapshot')).data.includes('<title>Pop')
    ),
    gives: true,
  },
];
