import { inFrames, log, strictly, described } from './observing.ts';
import type { Case } from './site-case.ts';

export const refs: readonly Case[] = [
  {
    says: 'are acted on in frames of any depth and origin',
    pages: inFrames,
    does: async (on) => {
      const seen = [];
      await strictly(on, { kind: 'tap', ref: await on.refOf('Deep') });
      seen.push(await on.title());
      await strictly(on, { kind: 'type', ref: await on.refOf('Word'), text: 'abc' });
      await strictly(on, { kind: 'check', ref: await on.refOf('Agree'), checked: true });
      seen.push(await on.title());
      return [...seen, described(await on.observe()).slice(2)];
    },
    gives: ['tapped', 'checked', ['textbox Word =abc', 'checkbox Agree checked']],
  },
  {
    says: 'are acted on in shadow trees, and by the label of a hidden box',
    pages: {
      '/': `${log}<div id="host"></div><label><input type="checkbox" style="display:none" onchange="log('checked')">Agree</label>
        <script>host.attachShadow({ mode: 'open' }).innerHTML = '<button onclick="log(1)">Inside</button>'</script>`,
    },
    does: async (on) => {
      await strictly(on, { kind: 'tap', ref: await on.refOf('Inside') });
      const first = await on.title();
      await strictly(on, { kind: 'check', ref: await on.refOf('Agree'), checked: true });
      return [first, await on.title()];
    },
    gives: ['1', 'checked'],
  },
  {
    says: 'are accepted by select, focus, clear and capture',
    pages: {
      '/': '<select aria-label="Size"><option>S<option>L</select><input aria-label="Name" value="Ada">',
    },
    does: async (on) => {
      const page = await on.observe();
      const [size = '', name = ''] = page.elements.map(({ ref }) => ref);
      await strictly(on, { kind: 'select', ref: size, values: ['L'] });
      await strictly(on, { kind: 'clear', ref: name });
      const { byte_size } = await on.capture('screenshot', { ref: name });
      return [described(await on.observe()), byte_size > 0];
    },
    gives: [['combobox Size =L S L', 'textbox Name = focused'], true],
  },
  {
    says: 'stay valid while the page is scrolled',
    pages: { '/': `${log}<button onclick="log('hit')">Hit</button>` },
    does: async (on) => {
      const ref = await on.refOf('Hit');
      await on.act({ kind: 'scroll', delta_y: 10 });
      await strictly(on, { kind: 'tap', ref });
      return on.title();
    },
    gives: 'hit',
  },
  {
    says: 'are invalid once their element is removed, and are not waited for',
    pages: { '/': '<button id="b" onclick="b.remove()">Go</button>' },
    does: async (on) => {
      const ref = await on.refOf('Go');
      await strictly(on, { kind: 'tap', ref });
      await on.wait({ kind: 'selector', ref, state: 'detached' });
      return [
        (await on.failure(strictly(on, { kind: 'tap', ref }, 60_000))).replace(ref, 'e'),
        (await on.failure(on.wait({ kind: 'selector', ref }, 60_000))).replace(ref, 'e'),
      ];
    },
    gives: Array<string>(2).fill(
      'page element_not_found: There is no element e any more: the page has changed. Observe it again.',
    ),
  },
  ...[
    ['a tab that has closed', 'window.close()'],
    ['a page that was left for the one before', 'history.back()'],
  ].map(([what = '', leave = '']): Case => ({
    says: `of ${what} are invalid on a page that was observed earlier`,
    pages: {
      '/': `<title>Home</title>${log}<button onclick="log('hit')">Hit</button><a href="/next" ${leave.startsWith('window') ? 'target="_blank"' : ''}>On</a>`,
      '/next': `<title>Next</title><button>Go</button><button>Leave</button>
        <script>document.querySelector('button + button').onclick = () => { ${leave} }</script>`,
    },
    does: async (on) => {
      const hit = await on.refOf('Hit');
      await on.act({ kind: 'tap', text: 'On' });
      const ref = await on.refOf('Go');
      await on.act({ kind: 'tap', text: 'Leave' });
      await on.titleAfter('Next');
      const failed = await on.failure(strictly(on, { kind: 'tap', ref }));
      return [ref === hit, failed.replace(ref, 'e'), await on.title()];
    },
    gives: [
      false,
      'page element_not_found: There is no element e any more: the page has changed. Observe it again.',
      'Home',
    ],
  })),
  {
    says: 'are invalid on another page',
    pages: { '/': '<button>Go</button>', '/next': '<button>Go</button>' },
    does: async (on) => {
      const ref = await on.refOf('Go');
      await on.go('/next');
      return (await on.failure(strictly(on, { kind: 'tap', ref }))).includes('Observe it again');
    },
    gives: true,
  },
  {
    says: 'of unchanged elements, in frames too, stay the same when the page is observed again',
    pages: {
      ...inFrames,
      '/list': `<button id="a" onclick="a.textContent = 'Delete two'; document.body.append(Object.assign(document.createElement('button'), { textContent: 'New' }))">Delete one</button><button>Stay</button>`,
    },
    does: async (on) => {
      const refsNow = async () => (await on.observe()).elements.map(({ ref }) => ref);
      const inAllFrames = [await refsNow(), await refsNow()];
      await on.go('/list');
      const first = await on.refOf('Delete one');
      const stays = await on.refOf('Stay');
      await strictly(on, { kind: 'tap', ref: first });
      const [changed, same] = [await on.refOf('Delete two'), await on.refOf('Stay')];
      const gone = await on.failure(strictly(on, { kind: 'tap', ref: first }));
      const isNew = new Set([first, stays, changed, await on.refOf('New')]).size === 4;
      return [
        inAllFrames[0]?.join() === inAllFrames[1]?.join(),
        ...[same === stays, isNew, gone.includes('Observe it again')],
      ];
    },
    gives: [true, true, true, true],
  },
  {
    says: 'are clicked once if their element is redrawn under the finger',
    pages: {
      '/': `<div id="d"></div><p id="seen"></p><script>const draw = () => { d.innerHTML = '<button>Other</button><button>Go</button>' }; draw(); d.addEventListener('touchstart', draw); d.addEventListener('click', ({ target }) => { seen.textContent += target.textContent })</script>`,
    },
    does: async (on) => {
      await on.act({ kind: 'tap', ref: await on.refOf('Go') });
      return on.read('#seen');
    },
    gives: 'Go',
  },
  {
    says: 'do not click the next item if their element is removed under the finger',
    pages: {
      '/': `<div id="d"></div><p id="seen"></p><script>let left = 3; const draw = () => { d.innerHTML = '<p><button>Delete</button></p>'.repeat(left) }; draw(); d.addEventListener('touchend', () => { left -= 1; seen.textContent += 'gone'; draw() }); d.addEventListener('click', () => { seen.textContent += 'clicked' })</script>`,
    },
    does: async (on) => {
      await on.act({ kind: 'tap', ref: await on.refOf('Delete') });
      return on.read('#seen');
    },
    gives: 'gone',
  },
];
