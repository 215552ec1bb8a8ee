import type { Case, Served } from './site-case.ts';

const stream: Served = (_request, reply) =>
  void reply.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
const reset: Served = (request) => void request.socket.destroy();
const hanging: Served = (_request, reply) =>
  reply.writeHead(200, { 'content-type': 'text/css' }).flushHeaders();
const late: Served = (_request, reply) => void setTimeout(() => reply.end(''), 400);
const idle = { kind: 'load_state', state: 'networkidle' } as const;
const loaded = { kind: 'load_state', state: 'load' } as const;
const parsed = { kind: 'load_state', state: 'domcontentloaded' } as const;

export const waits: readonly Case[] = [
  {
    says: 'a stream of events does not keep the network busy',
    pages: { '/': `<script>new EventSource('/stream')</script>`, '/stream': stream },
    does: async (on) => (await on.wait(idle, 4_000)).matched,
    gives: true,
  },
  {
    says: 'a stream that is not answered does not keep the network busy',
    pages: { '/': `<script>new EventSource('/stream')</script>`, '/stream': () => undefined },
    does: async (on) => (await on.wait(idle, 4_000)).matched,
    gives: true,
  },
  {
    says: 'a web socket does not keep the network busy',
    pages: { '/': `<script>new WebSocket(location.href.replace('http', 'ws'))</script>` },
    does: async (on) => (await on.wait(idle, 4_000)).matched,
    gives: true,
  },
  {
    says: 'navigating waits for an idle network beside a stream',
    pages: {
      '/': '',
      '/app': `<title>App</title><script>new EventSource('/stream')</script>`,
      '/stream': stream,
    },
    does: async (on) => (await on.go('/app', { wait_until: 'networkidle' }, 4_000)).status,
    gives: 200,
  },
  {
    says: 'a request keeps the network busy until it is answered',
    pages: {
      '/': '',
      '/app': `<script>fetch('/late').then(() => { document.title = 'Answered'; })</script>`,
      '/late': late,
    },
    does: async (on) => (await on.go('/app', { wait_until: 'networkidle' }), on.title()),
    gives: 'Answered',
  },
  {
    says: 'requests one after the other keep the network busy',
    pages: {
      '/': '',
      '/app': `<script>(async () => { for (const n of [1, 2, 3]) await fetch('/late?' + n); document.title = 'Three'; })()</script>`,
      '/late': late,
    },
    does: async (on) => (await on.go('/app', { wait_until: 'networkidle' }), on.title()),
    gives: 'Three',
  },
  {
    says: 'a request that is never answered keeps the network busy',
    pages: { '/': '', '/app': `<script>fetch('/never')</script>`, '/never': () => undefined },
    does: async (on) => (await on.failure(on.go('/app', { wait_until: 'networkidle' }, 1_500))).split(':')[0],
    gives: 'timeout page_load_failed',
  },
  {
    says: 'open requests of a page do not keep the next one busy',
    pages: {
      '/': '',
      '/busy': `<script>fetch('/never')</script>`,
      '/never': () => undefined,
      '/next': 'Next',
    },
    does: async (on) => (
      await on.go('/busy'),
      (await on.go('/next', { wait_until: 'networkidle' }, 4_000)).status
    ),
    gives: 200,
  },
  {
    says: 'a document is parsed before its resources have arrived',
    pages: { '/': '', '/app': '<title>App</title><body><img src="/never"></body>', '/never': hanging },
    does: async (on) => (await on.go('/app', { wait_until: 'domcontentloaded' }, 4_000)).status,
    gives: 200,
  },
  {
    says: 'a page is not loaded before its resources have arrived',
    pages: { '/': '', '/app': '<img src="/never">', '/never': () => undefined },
    does: async (on) => {
      await on.go('/app', { wait_until: 'domcontentloaded' });
      return (await on.failure(on.wait(loaded, 500))).split(':')[0];
    },
    gives: 'timeout condition_not_met',
  },
  {
    says: 'the load state is that of the page that a tap opened, not of the previous one',
    pages: {
      '/': '<a id="on" href="/app">On</a>',
      '/app': '<title>App</title><img src="/late">',
      '/late': late,
    },
    does: async (on) => {
      await on.wait(idle);
      const { duration_ms } = (await on.tap('#on'), await on.wait(loaded));
      return [await on.title(), duration_ms > 200];
    },
    gives: ['App', true],
  },
  {
    says: 'the load state is that of the tab in front',
    pages: {
      '/': '<a id="on" target="_blank" href="/app">On</a>',
      '/app': '<title>App</title><img src="/late">',
      '/late': late,
    },
    does: async (on) => {
      await on.wait(idle);
      const { duration_ms } = (await on.tap('#on'), await on.wait(loaded));
      return [await on.title(), duration_ms > 200];
    },
    gives: ['App', true],
  },
  {
    says: 'a wait continues in the next tab if the one in front closes itself',
    pages: {
      '/': '<title>Home</title><a id="on" target="_blank" rel="opener" href="/app">On</a>',
      '/app': '<img src="/never"><script>setTimeout(() => close(), 300)</script>',
      '/never': () => undefined,
    },
    does: async (on) => (await on.tap('#on'), await on.wait(loaded), on.titleAfter('')),
    gives: 'Home',
  },
  {
    says: 'a wait for a text continues in the next tab if the one in front closes itself',
    pages: {
      '/': '<title>Home</title><a id="on" target="_blank" rel="opener" href="/app">On</a><p>Behind</p>',
      '/app': '<title>App</title><script>setTimeout(() => close(), 500)</script>',
    },
    does: async (on) => {
      await on.tap('#on');
      const { matched } = await on.wait({ kind: 'text', text: 'Behind' }, 20_000);
      return [matched, await on.title()];
    },
    gives: [true, 'Home'],
  },
  {
    says: 'a page is parsed when its tab is opened',
    pages: { '/': '<a id="on" target="_blank" href="/app">On</a>', '/app': '<title>App</title>' },
    does: async (on) => (await on.tap('#on'), await on.wait(parsed, 2_000), on.title()),
    gives: 'App',
  },
  {
    says: 'a page that changes only its fragment keeps its load state',
    pages: { '/': `<button id="on" onclick="history.pushState(null, '', '/part')">On</button>` },
    does: async (on) => {
      await on.wait(idle);
      await on.tap('#on');
      return [(await on.wait(idle, 300)).matched, (await on.state()).url.endsWith('/part')];
    },
    gives: [true, true],
  },
  {
    says: 'a page that cannot be reached does not change the load state of the previous one',
    pages: { '/': '<a id="on" href="/reset">On</a>', '/reset': reset },
    does: async (on) => (await on.tap('#on'), (await on.wait(loaded, 1_000)).matched),
    gives: true,
  },
];
