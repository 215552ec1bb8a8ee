import { tap, wait, type Case } from './case.ts';

const on = (word: string) => `onclick="log('${word}')"`;
const named = (says: string, page: string, target: object, expect: string): Case => ({
  says,
  page,
  does: { kind: 'tap', ...target },
  expect,
});

export const targets: readonly Case[] = [
  named('by its text', `<button ${on('a')}>Save</button>`, { text: 'Save' }, 'a'),
  named(
    'by text, exact before partial',
    `<button ${on('a')}>Save as</button><button ${on('b')}>Save</button>`,
    { text: 'Save' },
    'b',
  ),
  named('by a part of its text', `<button ${on('a')}>Save as copy</button>`, { text: 'as copy' }, 'a'),
  named(
    'by text in another case when none has this one',
    `<button ${on('a')}>Save</button>`,
    { text: 'save' },
    'a',
  ),
  named(
    'by text in this case before another',
    `<button ${on('a')}>save</button><button ${on('b')}>Save</button>`,
    { text: 'Save' },
    'b',
  ),
  named(
    'by text as CSS shows it',
    `<button style="text-transform:uppercase" ${on('a')}>Save</button>`,
    { text: 'SAVE' },
    'a',
  ),
  named(
    'by text broken by white space',
    `<button ${on('a')}>Save \n  it&nbsp;now</button>`,
    { text: 'Save it now' },
    'a',
  ),
  named(
    'by text over several elements',
    `<div ${on('a')}>Save <b>it</b> now</div>`,
    { text: 'Save it now' },
    'a',
  ),
  named(
    'by the innermost element that has the text',
    `<div ${on('outer')}><p><span ${on('inner')}>Deep</span></p></div>`,
    { text: 'Deep' },
    'inner outer',
  ),
  named(
    'by the text of a button of a form',
    `<form onsubmit="return false"><input type="submit" value="Send" ${on('a')}></form>`,
    { text: 'Send' },
    'a',
  ),
  named(
    'by the first visible of equal texts',
    `<p style="display:none" ${on('a')}>Go</p><p ${on('b')}>Go</p>`,
    { text: 'Go' },
    'b',
  ),
  named(
    'by what its label says',
    `<label for="i">Name</label><input id="i" ${on('a')}>`,
    { label: 'Name' },
    'a',
  ),
  named('by what the label around it says', `<label>Name <input ${on('a')}></label>`, { label: 'Name' }, 'a'),
  named('by its aria-label', `<input aria-label="Search" ${on('a')}>`, { label: 'Search' }, 'a'),
  named(
    'by aria-labelledby',
    `<span id="l">Amount</span><input aria-labelledby="l" ${on('a')}>`,
    { label: 'Amount' },
    'a',
  ),
  named(
    'by label, exact before partial',
    `<label>Name of firm <input ${on('a')}></label><label>Name <input ${on('b')}></label>`,
    { label: 'Name' },
    'b',
  ),
  named('by its role', `<div role="tab" ${on('a')}>One</div>`, { role: 'tab' }, 'a'),
  named(
    'by the role its tag implies',
    `<a href="#" onclick="log('a');return false">One</a>`,
    { role: 'link' },
    'a',
  ),
  named(
    'by role and name',
    `<button ${on('a')}>One</button><button ${on('b')}>Two</button>`,
    { role: 'button', name: 'Two' },
    'b',
  ),
  named(
    'by role and name, exact before partial',
    `<button ${on('a')}>Two more</button><button ${on('b')}>Two</button>`,
    { role: 'button', name: 'Two' },
    'b',
  ),
  named(
    'by role and a name from aria-label',
    `<button aria-label="Close" ${on('a')}>x</button>`,
    { role: 'button', name: 'Close' },
    'a',
  ),
  named(
    'by role and a name from the text of a picture',
    `<button ${on('a')}><img alt="Cart" width="20" height="20"></button>`,
    { role: 'button', name: 'Cart' },
    'a',
  ),
  named(
    'by role, without what is hidden from assistance',
    `<button aria-hidden="true" ${on('a')}>Go</button><button ${on('b')}>Go</button>`,
    { role: 'button', name: 'Go' },
    'b',
  ),
  named(
    'by its placeholder',
    `<input placeholder="Your name" ${on('a')}>`,
    { placeholder: 'Your name' },
    'a',
  ),
  named(
    'by placeholder, exact before partial',
    `<input placeholder="Name of firm" ${on('a')}><input placeholder="Name" ${on('b')}>`,
    { placeholder: 'Name' },
    'b',
  ),
  named('by its test id', `<div data-testid="pay" ${on('a')}>Pay</div>`, { test_id: 'pay' }, 'a'),
  named('by a test id with quotes', `<div data-testid='a"b' ${on('a')}>Pay</div>`, { test_id: 'a"b' }, 'a'),
  {
    says: 'by label, to type into it',
    page: '<label for="i">Mail</label><input id="i">',
    does: { kind: 'type', label: 'Mail', text: 'a@b' },
    tells: "$('#i').value",
    expect: 'a@b',
  },
  {
    says: 'by placeholder, to type into it',
    page: '<input id="i" placeholder="Mail">',
    does: { kind: 'type', placeholder: 'Mail', text: 'a@b' },
    tells: "$('#i').value",
    expect: 'a@b',
  },
  {
    says: 'by role and name, to check it',
    page: '<label><input id="i" type="checkbox">Agree</label>',
    does: { kind: 'check', role: 'checkbox', name: 'Agree', checked: true },
    tells: "$('#i').checked",
    expect: 'true',
  },
  {
    says: 'by text of a label, to check its box',
    page: '<label><input id="i" type="checkbox">Agree</label>',
    does: { kind: 'check', text: 'Agree', checked: true },
    tells: "$('#i').checked",
    expect: 'true',
  },
  {
    says: 'by text, and says how many have it',
    page: '<p>Row</p><p>Row</p>',
    does: { kind: 'tap', text: 'Row' },
    answers: /first of 2 /,
  },
  {
    says: 'by text, not in scripts or styles',
    page: '<style>.word{}</style><script>"word"</script>',
    does: { kind: 'tap', text: 'word{}' },
    fails: ['timeout', /No element/],
  },
];

/** Defines an element with an open shadow tree of this content. */
const shadow = (name: string, content: string) =>
  `<script>customElements.define('${name}', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = \`${content}\` } })</script>`;

const inShadow = `<x-a></x-a>${shadow('x-a', `<button class="go" data-testid="t" ${on('a')}>Go on</button>`)}`;
const nested = `<x-o></x-o>${shadow('x-i', `<label>Name <input id="i" placeholder="Type"></label><button ${on('a')}>Inner</button>`)}${shadow('x-o', '<section><x-i></x-i></section>')}`;
const nestedValue = "$('x-o').shadowRoot.querySelector('x-i').shadowRoot.querySelector('input').value";

export const shadows: readonly Case[] = [
  named('by selector', inShadow, { selector: '.go' }, 'a'),
  named('by a selector across its border', inShadow, { selector: 'x-a .go' }, 'a'),
  named('by a selector with >>>', inShadow, { selector: 'x-a >>> .go' }, 'a'),
  named('by text', inShadow, { text: 'Go on' }, 'a'),
  named('by role and name', inShadow, { role: 'button', name: 'Go on' }, 'a'),
  named('by test id', inShadow, { test_id: 't' }, 'a'),
  named('in a tree within a tree', nested, { text: 'Inner' }, 'a'),
  named('in a tree within a tree by >>>', nested, { selector: 'x-o >>> x-i >>> button' }, 'a'),
  named('in a tree within a tree by one >>>', nested, { selector: 'x-o >>> button' }, 'a'),
  {
    says: 'types into a field by label',
    page: nested,
    does: { kind: 'type', label: 'Name', text: 'Ada' },
    tells: nestedValue,
    expect: 'Ada',
  },
  {
    says: 'types into a field by placeholder',
    page: nested,
    does: { kind: 'type', placeholder: 'Type', text: 'Ada' },
    tells: nestedValue,
    expect: 'Ada',
  },
  {
    says: 'types behind a tree border once focused',
    page: nested,
    does: [
      { kind: 'focus', selector: '#i' },
      { kind: 'type', selector: '#i', text: 'Ada' },
      { kind: 'press', key: 'Home' },
      { kind: 'type', selector: '#i', text: 'x' },
    ],
    tells: nestedValue,
    expect: 'xAda',
  },
  named(
    'what is slotted',
    `<x-s><button ${on('a')}>Slotted</button></x-s>${shadow('x-s', '<div style="padding:20px"><slot></slot></div>')}`,
    { text: 'Slotted' },
    'a',
  ),
  {
    says: 'says what of a tree covers an element',
    page: `<button id="b">Go</button><x-c></x-c>${shadow('x-c', '<div style="position:fixed;inset:0;background:red"></div>')}`,
    does: tap('#b'),
    fails: ['timeout', /covered by x-c/],
  },
  {
    says: 'extracts',
    page: inShadow,
    does: { kind: 'extract', schema: { type: 'string', 'x-selector': '.go' } },
    answers: /^"Go on"$/,
  },
  {
    says: 'extracts a list of elements that have one each',
    page: `<x-r></x-r><x-r></x-r>${shadow('x-r', '<b class="n">row</b>')}`,
    does: { kind: 'extract', schema: { type: 'array', 'x-selector': '.n', items: { type: 'string' } } },
    answers: /^\["row","row"\]$/,
  },
  {
    says: 'waits for a selector',
    page: `<x-l></x-l>${shadow('x-l', '<p></p>')}<script>late(100, () => { $('x-l').shadowRoot.innerHTML = '<i class="done">x</i>' })</script>`,
    does: wait({ kind: 'selector', selector: '.done' }),
    answers: /met/,
  },
  { says: 'waits for text', page: inShadow, does: wait({ kind: 'text', text: 'Go on' }), answers: /met/ },
  {
    says: 'does not look into closed ones',
    page: "<div id='h'></div><script>$('#h').attachShadow({ mode: 'closed' }).innerHTML = '<b id=\"c\">x</b>'</script>",
    does: tap('#c'),
    fails: ['timeout', /No element/],
  },
];

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
      says: `says what an element of a frame of ${name} lacks`,
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
    'taps in one of its own source',
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
    says: 'says that there is none',
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
    says: 'pages see none of our messages',
    page: `<iframe id="f" src="{{other}}inner"></iframe><script>addEventListener('message', (e) => { if (e.ports.length) log('seen') })</script>`,
    frames: { inner },
    does: wait({ kind: 'selector', selector: '#b', frame: '#f' }),
    expect: '',
  },
];

const until = (
  says: string,
  page: string,
  condition: Parameters<typeof wait>[0],
  more: Partial<Case> = {},
): Case => ({ says, page, does: wait(condition), answers: /met/, ...more });
const never = (says: string, page: string, condition: Parameters<typeof wait>[0]): Case => ({
  says: `does not take ${says}`,
  page,
  does: wait(condition),
  fails: ['timeout', /not met in time/],
  limit: 200,
});
const text = (words: string, selector?: string) =>
  ({ kind: 'text', text: words, ...(selector !== undefined && { selector }) }) as const;
const url = (pattern: string) => ({ kind: 'url', pattern }) as const;

export const conditions: readonly Case[] = [
  until('text', '<p>Ready now</p>', text('Ready')),
  until(
    'text that comes',
    '<p id="p"></p><script>late(100, () => { $("#p").textContent = "Done" })</script>',
    text('Done'),
  ),
  until('text as CSS shows it', '<p style="text-transform:uppercase">Ready</p>', text('READY')),
  until('text as it is in the source', '<p style="text-transform:uppercase">Ready</p>', text('Ready')),
  until(
    'text with capital letters by CSS',
    '<p style="text-transform:capitalize">ready now</p>',
    text('Ready Now'),
  ),
  until('text with no-break spaces', '<p>1&nbsp;000&nbsp;€</p>', text('1 000 €')),
  until('text asked for with a no-break space', '<p>1 000 €</p>', text('1\u00a0000 €')),
  until('text that is broken in the source', '<p>one\n   two</p>', text('one two')),
  until('text over several elements', '<p>one <b>two</b> three</p>', text('one two three')),
  until('text in a field', '<input value="In the field">', text('In the field')),
  until('text that was set in a field', '<input id="i"><script>$("#i").value = "set"</script>', text('set')),
  until('text in an area', '<textarea>In the area</textarea>', text('In the area')),
  until('text of the chosen option', '<select><option>a<option selected>Chosen</select>', text('Chosen')),
  until('text of a button of a form', '<input type="submit" value="Send it">', text('Send it')),
  until('text within an element', '<p>no</p><p id="p">yes</p>', text('yes', '#p')),
  until('a value of the field named', '<input id="i" value="yes">', text('yes', '#i')),
  never('text that is elsewhere', '<p id="a">no</p><p>yes</p>', text('yes', '#a')),
  never('text that is hidden', '<p style="display:none">hidden</p>', text('hidden')),
  never(
    'text that is hidden and changed by CSS',
    '<p style="display:none;text-transform:uppercase">hidden</p>',
    text('hidden'),
  ),
  never('the text of a password', '<input type="password" value="secret">', text('secret')),
  never('text in another case', '<p>Ready</p>', text('ready')),
  never('text of a script', '<script>"scripted"</script>', text('scripted')),
  until('an element that is visible', '<p id="p">a</p>', { kind: 'selector', selector: '#p' }),
  until('an element that is attached', '<p id="p" hidden>a</p>', {
    kind: 'selector',
    selector: '#p',
    state: 'attached',
  }),
  until('an element that is hidden', '<p id="p" hidden>a</p>', {
    kind: 'selector',
    selector: '#p',
    state: 'hidden',
  }),
  until('hidden for one that is missing', '', { kind: 'selector', selector: '#p', state: 'hidden' }),
  until('an element that goes', '<p id="p">a</p><script>late(100, () => $("#p").remove())</script>', {
    kind: 'selector',
    selector: '#p',
    state: 'detached',
  }),
  until(
    'an element that hides',
    '<p id="p">a</p><script>late(100, () => { $("#p").hidden = true })</script>',
    { kind: 'selector', selector: '#p', state: 'hidden' },
  ),
  until('an element by text', '<p>Row</p>', { kind: 'selector', text: 'Row' }),
  until('an element by role and name', '<button>Go</button>', {
    kind: 'selector',
    role: 'button',
    name: 'Go',
  }),
  until(
    'an element by label that goes',
    '<label>Name <input id="i"></label><script>late(100, () => $("label").remove())</script>',
    { kind: 'selector', label: 'Name', state: 'detached' },
  ),
  until('any of several that is visible', '<p class="p" hidden>a</p><p class="p">b</p>', {
    kind: 'selector',
    selector: '.p',
  }),
  never('an element without size', '<p id="p" style="height:0;margin:0;overflow:hidden"></p>', {
    kind: 'selector',
    selector: '#p',
  }),
  never('an element that is invisible', '<p id="p" style="visibility:hidden">a</p>', {
    kind: 'selector',
    selector: '#p',
  }),
  never('an element that stays', '<p id="p">a</p>', { kind: 'selector', selector: '#p', state: 'detached' }),
  until('an element that is transparent', '<p id="p" style="opacity:0">a</p>', {
    kind: 'selector',
    selector: '#p',
  }),
  until('an address by **', '', url('**/page')),
  until('an address by *', '', url('http://127.0.0.1:*/*/page')),
  until('an address by one of several', '', url('**/{start,page}')),
  until('an address by one of several with wildcards', '', url('http{s,}://**/{a*,p?ge}')),
  until('an address by an expression', '', url('/\\/page$/')),
  until('an address by an expression with flags', '', url('/\\/PAGE$/i')),
  until(
    'an address that a script sets',
    '<script>late(100, () => history.pushState(null, "", "?q=1"))</script>',
    url('**?q=1'),
  ),
  until(
    'an address with a part',
    '<script>late(100, () => { location.hash = "done" })</script>',
    url('**#done'),
  ),
  until(
    'an address that a page leads to',
    '<script>late(100, () => { location.href = "{{here}}next" })</script>',
    url('**/next'),
    { frames: { next: 'Next' } },
  ),
  until(
    'text on a page that is led to',
    '<script>late(100, () => { location.href = "{{here}}next" })</script>',
    text('Arrived'),
    { frames: { next: 'Arrived' } },
  ),
  never('an address in another case', '', url('**/PAGE')),
  never('an address that has more steps', '', url('http://127.0.0.1:*/page')),
  never('a group as text', '', url('**/{page')),
  until('a delay', '', { kind: 'delay', ms: 5 }),
  until('a load', '', { kind: 'load_state', state: 'load' }),
];

const red = 'style="width:50px;height:30px;background:red"';
export const captures: readonly Case[] = [
  { says: 'shows the viewport', page: '', does: { kind: 'capture' }, answers: /^1179x1977$/ },
  {
    says: 'shows an element',
    page: `<div id="d" ${red}></div>`,
    does: { kind: 'capture', selector: '#d' },
    answers: /^150x90$/,
  },
  {
    says: 'shows an element by its text',
    page: '<b style="display:block;width:100px;height:40px">Word</b>',
    does: { kind: 'capture', text: 'Word' },
    answers: /^300x120$/,
  },
  {
    says: 'shows an element out of view',
    page: `<div style="height:2000px"></div><div id="d" ${red}></div>`,
    does: { kind: 'capture', selector: '#d' },
    answers: /^150x90$/,
  },
  {
    says: 'shows an element in a scroller',
    page: `<div style="height:100px;overflow:auto"><div style="height:900px"></div><div id="d" ${red}></div></div>`,
    does: { kind: 'capture', selector: '#d' },
    answers: /^150x90$/,
  },
  {
    says: 'shows an element larger than the viewport',
    page: '<div id="d" style="width:100px;height:1500px;background:red"></div>',
    does: { kind: 'capture', selector: '#d' },
    answers: /^300x4500$/,
  },
  {
    says: 'waits for an element',
    page: `<script>late(100, () => document.body.insertAdjacentHTML('beforeend', '<div id="d" style="width:10px;height:10px"></div>'))</script>`,
    does: { kind: 'capture', selector: '#d' },
    answers: /^30x30$/,
  },
  {
    says: 'shows the whole page',
    page: '<style>body{margin:0}</style><div style="height:1500px"></div>',
    does: { kind: 'capture', full_page: true },
    answers: /^1179x4500$/,
  },
  {
    says: 'shows a whole page that fits',
    page: '',
    does: { kind: 'capture', full_page: true },
    answers: /^1179x1977$/,
  },
  {
    says: 'does not scroll the page for an element in view',
    page: `<div id="d" ${red}></div><div style="height:2000px"></div><script>addEventListener('scroll', () => log('scrolled'))</script>`,
    does: { kind: 'capture', selector: '#d' },
    expect: '',
  },
  {
    says: 'gives up on an element that is not there',
    page: '',
    does: { kind: 'capture', selector: '#d' },
    fails: ['timeout', /No element/],
  },
  {
    says: 'gives up on an element that is hidden',
    page: `<div id="d" hidden></div>`,
    does: { kind: 'capture', selector: '#d' },
    fails: ['timeout', /not visible/],
  },
  {
    says: 'refuses an element and the whole page together',
    page: '',
    does: { kind: 'capture', selector: 'body', full_page: true },
    fails: ['page', /not both/],
    limit: 3_000,
  },
];

const form =
  '<form onsubmit="event.preventDefault(); log($(\'[name=user]\').value + \':\' + $(\'[name=pass]\').value); this.remove()"><input name="user"><input name="pass" type="password"><button>Sign in</button></form>';
const fields = { username: 'ada', password: 'p😀' };
export const logins: readonly Case[] = [
  {
    says: 'fills and sends the form',
    page: form,
    does: { kind: 'login', fields },
    answers: /^authenticated$/,
    expect: 'ada:p😀',
  },
  {
    says: 'waits for the form',
    page: `<div id="d"></div><script>late(300, () => { $('#d').innerHTML = \`${form.replaceAll('`', '')}\` })</script>`,
    does: { kind: 'login', fields },
    answers: /^authenticated$/,
    expect: 'ada:p😀',
  },
  {
    says: 'waits until fields are enabled',
    page: `${form}<script>for (const i of document.querySelectorAll('input')) { i.disabled = true; late(200, () => { i.disabled = false }) }</script>`,
    does: { kind: 'login', fields },
    answers: /^authenticated$/,
    expect: 'ada:p😀',
  },
  {
    says: 'fills a form in a shadow tree',
    page: `<x-f></x-f><script>customElements.define('x-f', class extends HTMLElement { constructor() { super(); const r = this.attachShadow({ mode: 'open' }); r.innerHTML = '<form><input name="user"><input name="pass" type="password"><button>Go</button></form>'; r.querySelector('form').onsubmit = (e) => { e.preventDefault(); log(r.querySelector('[name=user]').value); r.innerHTML = '' } } })</script>`,
    does: { kind: 'login', fields },
    answers: /^authenticated$/,
    expect: 'ada',
  },
  {
    says: 'says when there is no form',
    page: '',
    does: { kind: 'login', fields },
    fails: ['timeout', /no sign-in form/],
  },
  {
    says: 'types over what is there',
    page: form.replace('name="user"', 'name="user" value="old"'),
    does: { kind: 'login', fields },
    expect: 'ada:p😀',
  },
];
