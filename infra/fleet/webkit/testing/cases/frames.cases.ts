import { closable, wait, type Case } from './case.ts';

const inner = `<script>addEventListener('click', (e) => e.target.id === 'b' && parent.postMessage('inner:b', '*'))</script><button id="b" style="margin:20px">Inside</button><label>Name <input id="i" oninput="parent.postMessage(this.value, '*')"></label>`;
const framed = (
  says: string,
  attributes: string,
  does: Case['does'],
  expect: string,
  more: Partial<Case> = {},
): Case => ({
  says,
  page: `<iframe id="f" style="width:300px;height:200px" ${attributes}></iframe>`,
  frames: { inner },
  does,
  expect,
  ...more,
});

const origins = [
  ['the same origin', '{{here}}'],
  ['another origin', '{{other}}'],
] as const;

export const frames: readonly Case[] = [
  ...origins.flatMap(([name, base]): Case[] => [
    framed(
      `taps in one of ${name}`,
      `src="${base}inner"`,
      { kind: 'tap', selector: '#b', frame: '#f' },
      'inner:b',
    ),
    framed(
      `taps by text in one of ${name}`,
      `src="${base}inner"`,
      { kind: 'tap', text: 'Inside', frame: 'iframe' },
      'inner:b',
    ),
    framed(
      `types in one of ${name}`,
      `src="${base}inner"`,
      { kind: 'type', label: 'Name', text: 'a😀', frame: '#f' },
      'a a😀',
    ),
    framed(
      `clears in one of ${name}`,
      `src="${base}inner"`,
      [
        { kind: 'type', selector: '#i', text: 'a', frame: '#f' },
        { kind: 'clear', selector: '#i', frame: '#f' },
      ],
      'a ',
    ),
    framed(
      `waits for an element in one of ${name}`,
      `src="${base}inner"`,
      wait({ kind: 'selector', selector: '#b', frame: '#f' }),
      '',
    ),
    framed(
      `waits for text in one of ${name}`,
      `src="${base}inner"`,
      wait({ kind: 'text', text: 'Inside', frame: '#f' }),
      '',
    ),
    framed(
      `extracts from one of ${name}`,
      `src="${base}inner"`,
      { kind: 'extract', schema: { type: 'string', 'x-selector': '#b' }, frame: '#f' },
      '',
      { answers: /^"Inside"$/ },
    ),
    framed(
      `captures an element in one of ${name}`,
      `src="${base}inner"`,
      { kind: 'capture', selector: '#b', frame: '#f' },
      '',
      { answers: /^\d+x\d+$/ },
    ),
    framed(
      `waits for a frame of ${name} that comes late`,
      `></iframe><script>late(150, () => { $('#f').src = '${base}inner' })</script><iframe hidden`,
      { kind: 'tap', selector: '#b', frame: '#f' },
      'inner:b',
    ),
    {
      says: `taps in a frame within a frame of ${name}`,
      page: `<iframe id="f" style="width:320px;height:300px" src="${base}middle"></iframe>`,
      frames: {
        inner: inner.replaceAll('parent.', 'top.'),
        middle: `<p>Middle</p><iframe class="in" style="width:250px;height:150px" src="${base === '{{here}}' ? '{{other}}' : '{{here}}'}inner"></iframe>`,
      },
      does: { kind: 'tap', selector: '#b', frame: ['#f', '.in'] },
      expect: 'inner:b',
    },
    {
      says: `scrolls to a frame of ${name} and in it`,
      page: `<div style="height:1500px"></div><iframe id="f" style="width:300px;height:200px" src="${base}deep"></iframe><div style="height:900px"></div>`,
      frames: { deep: `<div style="height:900px"></div>${inner}<div style="height:900px"></div>` },
      does: { kind: 'tap', selector: '#b', frame: '#f' },
      expect: 'inner:b',
    },
    {
      says: `gives up on an element of a frame of ${name} that the page covers`,
      page: `<iframe id="f" style="width:300px;height:200px" src="${base}inner"></iframe><div id="c" style="position:fixed;inset:0;background:#eee"></div>`,
      frames: { inner },
      does: { kind: 'tap', selector: '#b', frame: '#f' },
      fails: ['timeout', /covered by div#c/],
      limit: 600,
      expect: '',
    },
    {
      says: `reports why an element of a frame of ${name} cannot be used`,
      page: `<iframe id="f" src="${base}off"></iframe>`,
      frames: { off: '<button id="b" disabled>x</button>' },
      does: { kind: 'tap', selector: '#b', frame: '#f' },
      fails: ['timeout', /disabled/],
      limit: 600,
    },
    {
      says: `swipes in a frame of ${name}`,
      page: `<iframe id="f" style="width:300px;height:200px;border:0" src="${base}tall"></iframe>`,
      frames: {
        tall: "<div style='height:2000px'></div><script>addEventListener('scroll', () => { if (scrollY === 100) parent.postMessage('scrolled', '*') })</script>",
      },
      does: [
        { kind: 'swipe', x1: 100, y1: 180, x2: 100, y2: 80, duration_ms: 60 },
        wait({ kind: 'delay', ms: 100 }),
      ],
      expect: 'scrolled',
    },
  ]),
  framed(
    'taps in one that has its source in an attribute',
    `srcdoc='${inner.replaceAll("'", '&#39;')}'`,
    { kind: 'tap', selector: '#b', frame: '#f' },
    'inner:b',
  ),
  {
    says: 'taps in one that a script has written',
    page: `<iframe id="f" style="width:300px;height:200px"></iframe><script>const d = $('#f').contentDocument; d.body.innerHTML = '<button id="b">Go</button>'; d.querySelector('#b').onclick = () => log('a')</script>`,
    does: { kind: 'tap', selector: '#b', frame: '#f' },
    expect: 'a',
  },
  {
    says: 'taps in one that is scaled',
    page: `<iframe id="f" style="width:300px;height:200px;transform:scale(.5);transform-origin:0 0;border:5px solid;padding:10px" src="{{here}}inner"></iframe>`,
    frames: { inner },
    does: { kind: 'tap', selector: '#b', frame: '#f' },
    expect: 'inner:b',
  },
  {
    says: 'taps a point in one',
    page: `<iframe id="f" style="width:300px;height:200px;position:absolute;left:0;top:0;border:0" src="{{other}}whole"></iframe>`,
    frames: {
      whole:
        "<button style='position:absolute;inset:0' onclick=\"parent.postMessage('here', '*')\">x</button>",
    },
    does: [wait({ kind: 'selector', selector: 'button', frame: '#f' }), { kind: 'tap', x: 100, y: 100 }],
    expect: 'here',
  },
  {
    says: 'does not tap a button of another origin for its focus',
    page: `<iframe id="f" style="width:300px;height:200px" src="{{other}}pay"></iframe>`,
    frames: { pay: `<button id="b" onclick="parent.postMessage('paid', '*')">Pay</button>` },
    does: { kind: 'press', key: 'Enter', selector: '#b', frame: '#f' },
    fails: ['timeout', /does not take the focus/],
    limit: 1_500,
    expect: '',
  },
  {
    says: 'does not tap a text for its focus',
    page: `<iframe id="f" style="width:300px;height:200px" src="{{here}}text"></iframe>`,
    frames: { text: `<p id="b" onclick="parent.postMessage('clicked', '*')">Text</p>` },
    does: { kind: 'focus', selector: '#b', frame: '#f' },
    fails: ['page', /takes no focus/],
    expect: '',
  },
  {
    says: 'types nothing in one whose field drops the focus',
    page: `<iframe id="f" style="width:300px;height:200px" src="{{here}}shy"></iframe>`,
    frames: {
      shy: `<input id="i" onfocus="this.blur()"><script>addEventListener('keydown', ({ key }) => parent.postMessage(key, '*'))</script>`,
    },
    does: { kind: 'type', selector: '#i', text: 'abc', frame: '#f' },
    fails: ['timeout', /does not take the focus/],
    limit: 2_000,
    expect: '',
  },
  {
    says: 'reports that there is none',
    page: '',
    does: { kind: 'tap', selector: '#b', frame: '#none' },
    fails: ['timeout', /No frame/],
  },
  {
    says: 'follows one that is replaced',
    page: `<iframe id="f" style="width:300px;height:200px" src="{{other}}first"></iframe>`,
    frames: {
      first: '<script>setTimeout(() => { location.href = "{{here}}inner" }, 200)</script>First',
      inner,
    },
    does: { kind: 'tap', selector: '#b', frame: '#f' },
    expect: 'inner:b',
  },
  {
    says: 'a selection that closes its frame may have taken effect',
    ...closable('<select id="s" onchange="parent.closes(this.value)"><option>S<option>L</select>'),
    does: { kind: 'select', selector: '#s', values: ['L'], frame: '#f' },
    fails: ['page', /replaced/, 'condition_not_met'],
    limit: 4_000,
    expect: 'L',
  },
  {
    says: 'a text that closes its frame may have taken effect',
    ...closable('<input id="i" type="date" onchange="parent.closes(this.value)">'),
    does: { kind: 'type', selector: '#i', text: '2024-05-31', frame: '#f' },
    fails: ['page', /replaced/, 'condition_not_met'],
    limit: 4_000,
    expect: '2024-05-31',
  },
  {
    says: 'a check of a box that closes its frame may have taken effect',
    ...closable('<input id="i" type="checkbox" onchange="parent.closes(String(this.checked))">'),
    does: { kind: 'check', selector: '#i', checked: true, frame: '#f' },
    fails: ['page', /^After the touch: No frame/, 'condition_not_met'],
    limit: 8_000,
    expect: 'true',
  },
  {
    says: 'pages see none of our messages',
    page: `<iframe id="f" src="{{other}}inner"></iframe><script>addEventListener('message', (e) => { if (e.ports.length) log('seen') })</script>`,
    frames: { inner },
    does: wait({ kind: 'selector', selector: '#b', frame: '#f' }),
    expect: '',
  },
];
