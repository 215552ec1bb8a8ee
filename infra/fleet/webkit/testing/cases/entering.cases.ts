import { on, press, type, type Case } from './case.ts';

const focus = { kind: 'focus', selector: '#i' } as const;

/** Text and keys go to the targeted field, or to none. */
export const entering: readonly Case[] = [
  {
    says: 'types once a field is no longer inert',
    page: `<div id="g" inert><input id="i"></div><script>late(150, () => { $('#g').inert = false })</script>`,
    does: type('#i', 'abc'),
    tells: "$('#i').value",
    expect: 'abc',
  },
  {
    says: 'types once the dialog over the field is closed',
    page: `<input id="i"><dialog id="d"><button>OK</button></dialog><script>$('#d').showModal(); late(150, () => $('#d').close())</script>`,
    does: type('#i', 'a b'),
    tells: "$('#i').value",
    expect: 'a b',
  },
  {
    says: 'types nothing into a modal dialog that blocks the field',
    page: `<input id="i"><dialog id="d"><input id="j" autofocus><button ${on('wrong')}>OK</button></dialog><script>$('#d').showModal()</script>`,
    does: type('#i', 'a b'),
    fails: ['timeout', /does not take the focus/],
    tells: "lines + $('#j').value",
    expect: '',
  },
  {
    says: 'types nothing if the field drops the focus',
    page: `<input id="i" onfocus="this.blur()">`,
    does: type('#i', 'abc'),
    fails: ['timeout', /does not take the focus/],
    tells: "$('#i').value",
    expect: '',
  },
  {
    says: 'types into the field to which the page moves the focus',
    page: `<input id="i" onfocus="$('#j').focus()" placeholder="Search"><input id="j">`,
    does: type('#i', 'abc'),
    tells: "$('#j').value",
    expect: 'abc',
  },
  {
    says: 'types into the field that replaces the focused one',
    page: `<div id="d"><input id="i"></div><script>$('#i').onfocus = () => { $('#d').innerHTML = '<input id="i" data-new>' }</script>`,
    does: type('#i', 'abc'),
    tells: "$('#i').value",
    expect: 'abc',
  },
  {
    says: 'presses no key in an element that does not accept the focus',
    page: `<input id="i" onfocus="this.blur()" onkeydown="log(event.key)">`,
    does: { kind: 'press', key: 'x', selector: '#i' },
    fails: ['timeout', /does not take the focus/],
    expect: '',
  },
  {
    says: 'enters a component that delegates the focus',
    page: `<x-f id="x"></x-f><script>customElements.define('x-f', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open', delegatesFocus: true }).innerHTML = '<input id="i">' } })</script>`,
    does: [{ kind: 'focus', selector: '#x' }, press('a')],
    tells: "$('x-f').shadowRoot.querySelector('input').value",
    expect: 'a',
  },
  {
    says: 'presses keys in the page itself, whatever had the focus',
    page: `<input id="i"><script>addEventListener('keydown', (e) => log(e.target.localName + e.key))</script>`,
    does: [focus, { kind: 'press', key: 'x', selector: 'body' }],
    expect: 'bodyx',
  },
];
