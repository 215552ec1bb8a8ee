import { named, on, tap, wait, type Case } from './case.ts';

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
    says: 'keeps the caret of a focused field in a shadow tree',
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
    says: 'reports which element of a shadow tree covers the target',
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
