import { press, type, type Case } from './case.ts';

const value = "$('#i').value";
const focus = { kind: 'focus', selector: '#i' } as const;
/** Defines an element with an open shadow tree of this content. */
const shadow = (name: string, content: string) =>
  `<script>customElements.define('${name}', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = \`${content}\` } })</script>`;
const writes = (says: string, page: string, text: string, expect = text, tells = value): Case => ({
  says,
  page,
  does: type('#i', text),
  tells,
  expect,
});

/** Typing into more than plain fields. */
export const editors: readonly Case[] = [
  {
    says: 'types on in fields that move the focus to the next one, as for a code',
    page: `${[0, 1, 2, 3].map((n) => `<input id="${n ? `i${n}` : 'i'}" maxlength="1" size="1" oninput="this.nextElementSibling?.focus?.()">`).join('')}<script></script>`,
    does: type('#i', '1234'),
    tells: "[...document.querySelectorAll('input')].map((i) => i.value).join()",
    expect: '1,2,3,4',
  },
  {
    says: 'goes to the next field with a tab in its text',
    page: '<input id="i"><input id="j">',
    does: type('#i', 'a\tb'),
    tells: "$('#i').value + ',' + $('#j').value",
    expect: 'a,b',
  },
  writes(
    'types into a field that writes its text in groups',
    `<input id="i" oninput="const d = this.value.replace(/\\D/g, ''); this.value = d.match(/.{1,4}/g).join(' ')">`,
    '4111111111111111',
    '4111 1111 1111 1111',
  ),
  writes(
    'types into a body that is editable',
    '<style>body{min-height:50px}</style><script>document.body.id = "i"; document.body.contentEditable = "true"</script>',
    'some value',
    'some value',
    'document.body.innerText.trim()',
  ),
  writes(
    'breaks lines in editable content',
    '<div id="i" contenteditable></div>',
    'John\nDoe',
    'John|Doe',
    "$('#i').innerText.trim().replace(/\\n+/g, '|')",
  ),
  writes(
    'types once into an editor that writes its text by itself',
    `<div id="i" contenteditable></div><script>$('#i').addEventListener('beforeinput', (e) => { e.preventDefault(); $('#i').textContent += e.data })</script>`,
    'Typed',
    'Typed',
    "$('#i').textContent",
  ),
  writes(
    'types into editable content that takes plain text only',
    '<div id="i" contenteditable="plaintext-only"></div>',
    'ab',
    'ab',
    "$('#i').textContent",
  ),
  writes(
    'types into editable content in a shadow tree',
    `<x-e></x-e>${shadow('x-e', '<div id="i" contenteditable>a</div>')}`,
    'bc',
    'abc',
    "$('x-e').shadowRoot.querySelector('#i').textContent",
  ),
  {
    says: 'types into the page when a frame has the focus',
    page: '<div id="i" contenteditable></div><iframe id="f" srcdoc="<input autofocus>"></iframe>',
    does: [{ kind: 'focus', selector: 'input', frame: '#f' }, type('#i', 'some value')],
    tells: "$('#i').textContent",
    expect: 'some value',
  },
  {
    says: 'types into a document that is an editor',
    page: `<iframe id="f" src="{{here}}inner"></iframe>`,
    frames: {
      inner: `<p id="p">a</p><script>document.designMode = 'on'; document.addEventListener('input', () => parent.postMessage(document.body.innerText.trim(), '*'))</script>`,
    },
    does: [
      { kind: 'type', selector: 'p', text: 'b', frame: '#f' },
      { kind: 'wait', condition: { kind: 'delay', ms: 40 } },
    ],
    expect: 'ab',
  },
  writes('keeps a number with an exponent as it is', '<input id="i" type="number">', '-10e5'),
  writes('gives a time its seconds', '<input id="i" type="time" step="1">', '13:05:30'),
  writes(
    'gives a range the nearest of its own steps exactly',
    '<input id="i" type="range" min="0" max="1" step="0.1">',
    '0.3',
  ),
  {
    says: 'sends `input` but not `change` out of a shadow tree, as browsers do',
    page: `<x-d></x-d>${shadow('x-d', '<input id="i" type="date">')}<script>for (const t of ['input', 'change']) document.body.addEventListener(t, (e) => log(t + e.composed))</script>`,
    does: type('#i', '2024-05-31'),
    expect: 'inputtrue',
  },
  {
    says: 'types on when the page changes its address at the first letter',
    page: `<input id="i" oninput="location.hash = this.value">`,
    does: type('#i', 'abc'),
    tells: 'location.hash === "#told" && lines.length === 0',
    expect: 'true',
  },
  {
    says: 'types on when a key opens a dialog',
    page: `<input id="i"><script>$('#i').addEventListener('keydown', (e) => { if (e.key === 'b') alert('b') })</script>`,
    does: type('#i', 'abc'),
    tells: value,
    expect: 'abc',
  },
  writes(
    'keeps the order of a long text',
    '<textarea id="i"></textarea>',
    Array.from({ length: 120 }, (_, n) => `w${n}`).join(' '),
  ),
  writes('writes against the direction of the page', '<div dir="rtl"><input id="i"></div>', 'abc שלום 12'),
  writes('takes line breaks of either kind', '<textarea id="i"></textarea>', 'a\r\nb\nc', 'a\nb\nc'),
  {
    says: 'undoes what was typed',
    page: '<textarea id="i">ab</textarea>',
    does: [type('#i', 'c'), press('z', 'cmd')],
    tells: value,
    expect: 'ab',
  },
  {
    says: 'types over what cmd and a selects in editable content',
    page: '<div id="i" contenteditable>old <b>text</b></div>',
    does: [focus, press('a', 'cmd'), type('#i', 'new')],
    tells: "$('#i').textContent",
    expect: 'new',
  },
  {
    says: 'types into a field of which only the label is visible',
    page: '<label>Name <input id="i" style="opacity:0;width:1px;height:1px"></label>',
    does: { kind: 'type', label: 'Name', text: 'Ada' },
    tells: value,
    expect: 'Ada',
  },
  {
    says: 'clears a field to the value that the page restores',
    page: `<input id="i" value="x" oninput="if (!this.value) this.value = 'x'">`,
    does: { kind: 'clear', selector: '#i' },
    tells: value,
    expect: 'x',
  },
  {
    says: 'clears a field once its form is enabled',
    page: '<fieldset id="f" disabled><input id="i" value="abc"></fieldset><script>late(100, () => { $("#f").disabled = false })</script>',
    does: { kind: 'clear', selector: '#i' },
    tells: value,
    expect: '',
  },
];
