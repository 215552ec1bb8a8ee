import type { Case, Served } from './site-case.ts';

const html = { 'content-type': 'text/html' };
const after =
  (ms: number, body: string): Served =>
  (_request, reply) =>
    void setTimeout(() => reply.writeHead(200, html).end(body), ms);
const silent: Served = () => undefined;
/** A page that is only answered when a case calls for it. */
const held = (() => {
  let answer: (body: string) => void = () => undefined;
  const page: Served = (_request, reply) => {
    answer = (body) => void reply.writeHead(200, html).end(body);
  };
  return { page, answer: (body: string) => answer(body) };
})();
const reset: Served = (request) => void request.socket.destroy();
const slow = after(400, '<title>Slow</title>');
/** Requires the name `ada` and the password `right`. */
const guarded: Served = (request, reply) => {
  const right = `Basic ${Buffer.from('ada:right').toString('base64')}`;
  if (request.headers.authorization === right)
    return void reply.writeHead(200, html).end('<title>In</title>');
  reply.writeHead(401, { ...html, 'www-authenticate': 'Basic realm="Staff"' }).end('<title>Asked</title>');
};
const ada = { username: 'ada', password: 'right' };

export const navigation: readonly Case[] = [
  {
    says: 'a tap does not tell of a load that failed before it',
    pages: { '/': '<title>Home</title><button id="on">On</button>', '/reset': reset },
    does: async (on) => {
      await on.failure(on.go('/reset'));
      await on.go('/');
      return (await on.tap('#on')).summary;
    },
    gives: 'Tapped.',
  },
  {
    says: 'a link that is tapped has been followed when the tap returns',
    pages: { '/': '<title>Home</title><a id="on" href="/slow">On</a>', '/slow': slow },
    does: async (on) => (await on.tap('#on'), on.title()),
    gives: 'Slow',
  },
  {
    says: 'a tap on a link to the current fragment waits for no page',
    pages: { '/': '<a id="on" href="#" onclick="document.title += 1">On</a>' },
    does: async (on) => {
      await on.tap('#on');
      await on.tap('#on', {}, 800);
      return on.title();
    },
    gives: '11',
  },
  {
    says: 'a page that a script loads is there when the tap returns',
    pages: { '/': `<button id="on" onclick="location = '/slow'">On</button>`, '/slow': slow },
    does: async (on) => (await on.tap('#on'), on.title()),
    gives: 'Slow',
  },
  {
    says: 'a form that is sent has been answered when the tap returns',
    pages: { '/': '<form action="/slow" method="post"><button id="on">On</button></form>', '/slow': slow },
    does: async (on) => (await on.tap('#on'), on.title()),
    gives: 'Slow',
  },
  {
    says: 'a form that is sent by Enter has been answered when the key returns',
    pages: { '/': '<form action="/slow"><input id="name"></form>', '/slow': slow },
    does: async (on) => {
      await on.act({ kind: 'focus', selector: '#name' });
      await on.act({ kind: 'press', key: 'Enter' });
      return on.title();
    },
    gives: 'Slow',
  },
  {
    says: 'a page behind a redirect is there when the tap returns',
    pages: {
      '/': '<a id="on" href="/moved">On</a>',
      '/moved': (_request, reply) => void reply.writeHead(302, { location: '/slow' }).end(),
      '/slow': slow,
    },
    does: async (on) => (await on.tap('#on'), on.title()),
    gives: 'Slow',
  },
  {
    says: 'a page on another host is there when the tap returns',
    pages: {
      '/': `<a id="on" onclick="this.href = 'http://127.0.0.2:' + location.port + '/slow'" href="#">On</a>`,
      '/slow': slow,
    },
    does: async (on) => (await on.tap('#on'), on.title()),
    gives: 'Slow',
  },
  {
    says: 'a tap that moves to a fragment of the page returns at once',
    pages: { '/': '<a id="on" href="#part">On</a><p id="part">Part</p>' },
    does: async (on) => {
      const { duration_ms } = await on.tap('#on');
      return [duration_ms < 900, (await on.state()).url.endsWith('/#part')];
    },
    gives: [true, true],
  },
  {
    says: 'a tap that loads a frame does not wait for the frame',
    pages: {
      '/': '<title>Home</title><a id="on" target="inner" href="/never">On</a><iframe name="inner"></iframe>',
      '/never': silent,
    },
    does: async (on) => ((await on.tap('#on')).duration_ms < 900 ? on.title() : 'waited'),
    gives: 'Home',
  },
  {
    says: 'a tap on a link whose click is prevented returns at once',
    pages: {
      '/': '<title>Home</title><a id="on" onclick="return false" href="/never">On</a>',
      '/never': silent,
    },
    does: async (on) => ((await on.tap('#on')).duration_ms < 900 ? on.title() : 'waited'),
    gives: 'Home',
  },
  {
    says: 'a tap on a link that never answers returns before its timeout, and reports it',
    pages: { '/': '<title>Home</title><a id="on" href="/never">On</a>', '/never': silent },
    does: async (on) => [(await on.tap('#on', {}, 6_000)).summary, await on.title()],
    gives: ['Tapped. The page it led to has not answered yet.', 'Home'],
  },
  {
    says: 'a page can be left while it waits for another one that never answers',
    pages: { '/': '<a id="on" href="/never">On</a>', '/never': silent, '/next': '<title>Next</title>' },
    does: async (on) => (await on.tap('#on', {}, 6_000), await on.go('/next'), on.title()),
    gives: 'Next',
  },
  {
    says: 'a wait after the tap finds a page that answers late',
    pages: { '/': '<a id="on" href="/held">On</a>', '/held': held.page },
    does: async (on) => {
      await on.tap('#on', {}, 6_000);
      held.answer('<title>Late</title>');
      await on.wait({ kind: 'url', pattern: '**/held' });
      return on.title();
    },
    gives: 'Late',
  },
  {
    says: 'a page whose script never ends can be left',
    pages: {
      '/': '',
      '/busy': '<title>Busy</title><script>setTimeout(() => { for (;;); }, 100)</script>',
      '/next': '<title>Next</title>',
    },
    does: async (on) => {
      await on.go('/busy');
      await on.stalled();
      return [(await on.go('/next', {}, 20_000)).duration_ms < 15_000, await on.title()];
    },
    gives: [true, 'Next'],
  },
  {
    says: 'a page that asks itself without end whether it may be left can be left',
    pages: {
      '/': '<title>Home</title><script>onbeforeunload = () => { for (;;); }</script>',
      '/next': '<title>Next</title>',
    },
    does: async (on) => [(await on.go('/next', {}, 20_000)).duration_ms < 15_000, await on.title()],
    gives: [true, 'Next'],
  },
  {
    says: 'a tab in the process of a page whose script never ends still works after that page is left',
    pages: {
      '/': '<title>Home</title><a id="on" target="_blank" rel="opener" href="/busy">On</a>',
      '/busy': '<title>Busy</title><script>setTimeout(() => { for (;;); }, 300)</script>',
      '/next': '<title>Next</title>',
    },
    does: async (on) => {
      await on.tap('#on');
      await on.stalled();
      await on.go('/next', {}, 20_000);
      const next = await on.title();
      await on.act({ kind: 'close_tab' });
      await on.wait({ kind: 'selector', selector: '#on' });
      return [next, await on.title()];
    },
    gives: ['Next', 'Home'],
  },
  {
    says: 'a wait for an address ends after the whole page has arrived',
    pages: {
      '/': `<button id="on" onclick="location = '/parts'">On</button>`,
      '/parts': (_request, reply) => {
        reply.writeHead(200, html).write(`<title>First</title>${' '.repeat(4_096)}<p>First</p>`);
        setTimeout(() => reply.end('<title>Last</title><p id="last">Last</p>'), 600);
      },
    },
    does: async (on) => {
      await on.tap('#on');
      await on.wait({ kind: 'url', pattern: '**/parts' });
      return on.read('#last');
    },
    gives: 'Last',
  },
  {
    says: 'a wait for an address succeeds even if the page never arrives completely',
    pages: {
      '/': `<button id="on" onclick="location = '/parts'">On</button>`,
      '/parts': (_request, reply) =>
        void reply.writeHead(200, html).write(`<title>First</title>${' '.repeat(4_096)}<p>First</p>`),
    },
    does: async (on) => {
      await on.tap('#on');
      return (await on.wait({ kind: 'url', pattern: '**/parts' }, 3_000)).matched;
    },
    gives: true,
  },
  {
    says: 'a tap reports that its page cannot be reached, and the previous page stays',
    pages: { '/': '<title>Home</title><a id="on" href="/reset">On</a>', '/reset': reset },
    does: async (on) => [(await on.tap('#on')).summary, await on.title()],
    gives: ['Tapped. The page it led to could not be loaded.', 'Home'],
  },
  {
    says: 'a link that is answered without a page keeps the previous page',
    pages: {
      '/': '<title>Home</title><a id="on" href="/none">On</a>',
      '/none': (_request, reply) => void reply.writeHead(204).end(),
    },
    does: async (on) => {
      await on.tap('#on');
      return [(await on.wait({ kind: 'load_state', state: 'load' }, 2_000)).matched, await on.title()];
    },
    gives: [true, 'Home'],
  },
  {
    says: 'navigating to an address that answers without a page reports it',
    pages: { '/': '', '/none': (_request, reply) => void reply.writeHead(204).end() },
    does: (on) => on.failure(on.go('/none')),
    gives: 'page page_load_failed: The address answered without a page.',
  },
  {
    says: 'a page that asks for a password is the answer, with its status',
    pages: { '/': '', '/staff': guarded },
    does: async (on) => [(await on.go('/staff')).status, await on.title()],
    gives: [401, 'Asked'],
  },
  {
    says: 'a wrong password is answered like a missing one',
    pages: { '/': '', '/staff': guarded },
    does: async (on) => [
      (await on.go('/staff', { credentials: { ...ada, password: 'wrong' } })).status,
      await on.title(),
    ],
    gives: [401, 'Asked'],
  },
  {
    says: 'credentials are never sent to another origin than that of their address',
    pages: {
      '/': '',
      '/moved': (request, reply) => {
        const port = String(request.headers.host).split(':')[1];
        reply.writeHead(302, { location: `http://127.0.0.3:${port}/staff` }).end();
      },
      '/staff': guarded,
    },
    does: async (on) => (await on.go(`${on.elsewhere}/moved`, { credentials: ada })).status,
    gives: 401,
  },
  {
    says: 'the right password opens the page, and is remembered by the session',
    pages: { '/': '', '/staff': guarded },
    does: async (on) => {
      const first = await on.go('/staff', { credentials: ada });
      const again = await on.go('/staff');
      return [first.status, again.status, await on.title()];
    },
    gives: [200, 200, 'In'],
  },
  {
    says: 'a wait finds the page to which another one navigates by itself',
    pages: { '/': '', '/hop': `<script>location = '/slow'</script>`, '/slow': slow },
    does: async (on) => {
      await on.go('/hop', { wait_until: 'domcontentloaded' });
      await on.wait({ kind: 'url', pattern: '**/slow' });
      return on.title();
    },
    gives: 'Slow',
  },
];
