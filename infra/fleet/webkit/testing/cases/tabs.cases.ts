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
    says: 'an action that opens no tab names none',
    pages,
    does: async (on) => 'tab_id' in (await on.tap('html')),
    gives: false,
  },
  {
    says: 'a frame without an address has the identity of the phone from its first script on',
    pages: {
      '/': `<title>Home</title><p id="seen"></p><script>const frame = document.createElement('iframe');
        document.body.append(frame); seen.textContent = frame.contentWindow.navigator.platform</script>`,
    },
    does: (on) => on.read('#seen'),
    gives: 'iPhone',
  },
  {
    says: 'typed text goes into the tab in front',
    pages,
    does: async (on) => {
      await on.tap('#open');
      await on.act({ kind: 'type', selector: '#field', text: 'Ada' });
      return on.read('#field');
    },
    gives: 'Ada',
  },
  {
    says: 'a tab that comes to the front gets the focus',
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
    says: 'a link is followed in the tab in front',
    pages,
    does: async (on) => {
      await on.tap('#open');
      await on.tap('#on');
      return (await on.tabs()).map(({ title }) => title);
    },
    gives: ['Home', 'Last'],
  },
  {
    says: 'a tab can be brought to the front, and operations then apply to it',
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
    says: 'closing a tab in the background does not change the one in front',
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
    says: 'a missing tab cannot be brought to the front',
    pages,
    does: (on) =>
      on.failure(on.act({ kind: 'activate_tab', tab_id: 'tab_00000000-0000-0000-0000-000000000000' })),
    gives: 'page invalid_request: There is no such tab.',
  },
  {
    says: 'a running wait finds a tab that a page opens later',
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
    says: 'tabs share their cookies',
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
