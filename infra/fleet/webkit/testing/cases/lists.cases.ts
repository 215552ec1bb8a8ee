import { type Case } from './case.ts';

const list = (attributes = '') =>
  `<select id="i" ${attributes}><option value="r">Red</option><option value="g">Green</option><option value="b" label="Blue">bbb</option></select><script>for (const t of ['input','change']) $('#i').addEventListener(t, () => log(t + $('#i').value))</script>`;

/** Defines an element with an open shadow tree of this content. */
const shadow = (name: string, content: string) =>
  `<script>customElements.define('${name}', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = \`${content}\` } })</script>`;
const value = "$('#i').value";
const chosen = "[...$('#i').selectedOptions].map((o) => o.value).join()";

export const lists: readonly Case[] = [
  {
    says: 'selects by value',
    page: list(),
    does: { kind: 'select', selector: '#i', values: ['g'] },
    expect: 'inputg changeg',
  },
  {
    says: 'selects by text',
    page: list(),
    does: { kind: 'select', selector: '#i', values: ['Green'] },
    expect: 'inputg changeg',
  },
  {
    says: 'selects by label',
    page: list(),
    does: { kind: 'select', selector: '#i', values: ['Blue'] },
    expect: 'inputb changeb',
  },
  {
    says: 'selects by index',
    page: list(),
    does: { kind: 'select', selector: '#i', indexes: [1] },
    expect: 'inputg changeg',
  },
  {
    says: 'selects several',
    page: list('multiple'),
    does: { kind: 'select', selector: '#i', values: ['r', 'b'] },
    tells: chosen,
    expect: 'r,b',
  },
  {
    says: 'replaces the previous selection',
    page: list('multiple'),
    does: [
      { kind: 'select', selector: '#i', values: ['r'] },
      { kind: 'select', selector: '#i', values: ['g', 'b'] },
    ],
    tells: chosen,
    expect: 'g,b',
  },
  {
    says: 'selects only the first of several values in a list without multiple selection',
    page: list(),
    does: { kind: 'select', selector: '#i', values: ['g', 'b'] },
    answers: /Selected 1 /,
    tells: chosen,
    expect: 'g',
  },
  {
    says: 'selects by a label of the list',
    page: `<label id="l">Color ${list()}</label>`,
    does: { kind: 'select', selector: '#l', values: ['g'] },
    tells: chosen,
    expect: 'g',
  },
  {
    says: 'selects in the list of a label with that text',
    page: `<label for="i">Color</label>${list()}`,
    does: { kind: 'select', label: 'Color', values: ['g'] },
    tells: chosen,
    expect: 'g',
  },
  {
    says: 'selects an option of a group',
    page: '<select id="i"><option>a</option><optgroup label="G"><option>b</option></optgroup></select>',
    does: { kind: 'select', selector: '#i', values: ['b'] },
    tells: chosen,
    expect: 'b',
  },
  {
    says: 'gives the list the focus',
    page: list(),
    does: { kind: 'select', selector: '#i', values: ['g'] },
    tells: 'document.activeElement.id',
    expect: 'i',
  },
  {
    says: 'selects of the options that a page draws when the list gets the focus',
    page: list('onfocus="this.innerHTML = this.innerHTML"'),
    does: { kind: 'select', selector: '#i', values: ['g'] },
    answers: /Selected 1 /,
    expect: 'inputg changeg',
  },
  {
    says: 'selects of the options that a page draws soon after the list got the focus',
    page: list('onfocus="Promise.resolve().then(() => { this.innerHTML = this.innerHTML })"'),
    does: { kind: 'select', selector: '#i', values: ['g'] },
    tells: value,
    expect: 'g',
  },
  {
    says: 'selects an option that is there only once the list has the focus',
    page: list('onfocus="this.append(new Option(1, 1))"'),
    does: { kind: 'select', selector: '#i', values: ['1'] },
    expect: 'input1 change1',
  },
  {
    says: 'selects once an option of an index is there',
    page: '<select id="i"><option>a</option></select><script>late(100, () => $("#i").append(new Option("b")))</script>',
    does: { kind: 'select', selector: '#i', indexes: [1] },
    tells: value,
    expect: 'b',
  },
  {
    says: 'selects once all of several options are there',
    page: '<select id="i" multiple><option>a</option></select><script>late(100, () => $("#i").append(new Option("b")))</script>',
    does: { kind: 'select', selector: '#i', values: ['a', 'b'] },
    tells: "[...$('#i').selectedOptions].map((o) => o.value).join()",
    expect: 'a,b',
  },
  {
    says: 'selects by value, label and position at once',
    page: '<select id="i" multiple><option value="r">Red</option><option value="g">Green</option><option value="b">Blue</option></select>',
    does: { kind: 'select', selector: '#i', values: ['r', 'Green'], indexes: [2] },
    answers: /Selected 3/,
    tells: "[...$('#i').selectedOptions].map((o) => o.value).join()",
    expect: 'r,g,b',
  },
  {
    says: 'selects on a page that has deleted built-in event classes',
    page: '<select id="i" onchange="log(this.value)"><option>a</option><option>b</option></select><script>window.Event = window.InputEvent = null</script>',
    does: { kind: 'select', selector: '#i', values: ['b'] },
    expect: 'b',
  },
  {
    says: 'selects no option of a group that is disabled',
    page: '<select id="i"><option>a</option><optgroup label="G" disabled><option>b</option></optgroup></select>',
    does: { kind: 'select', selector: '#i', values: ['b'] },
    fails: ['timeout', /option is disabled/],
    tells: value,
    expect: 'a',
  },
  {
    says: 'prefers the value to the text of another option',
    page: '<select id="i"><option value="x">b</option><option value="b">c</option></select>',
    does: { kind: 'select', selector: '#i', values: ['b'] },
    tells: 'document.querySelector("#i").selectedIndex',
    expect: '1',
  },
  {
    says: 'selects in a shadow tree',
    page: `<x-l></x-l>${shadow('x-l', '<select id="i"><option>a</option><option>b</option></select>')}`,
    does: { kind: 'select', selector: '#i', values: ['b'] },
    tells: "$('x-l').shadowRoot.querySelector('select').value",
    expect: 'b',
  },
  {
    says: 'selects in a list that replaces one without the option',
    page: `<div id="d"><select id="i"><option>Loading</option></select></div><script>late(600, () => { $('#d').innerHTML = '<select id="i"><option>a</option><option>b</option></select>' })</script>`,
    does: { kind: 'select', selector: '#i', values: ['b'] },
    tells: value,
    expect: 'b',
  },
  {
    says: 'selects in an enabled list that replaces a disabled one',
    page: `<div id="d"><select id="i" disabled><option>b</option></select></div><script>late(600, () => { $('#d').innerHTML = '<select id="i"><option>a</option><option>b</option></select>' })</script>`,
    does: { kind: 'select', selector: '#i', values: ['b'] },
    tells: value,
    expect: 'b',
  },
  {
    says: 'selects in a list that appears after its label',
    page: `<label for="i">Size</label><div id="d"></div><script>late(600, () => { $('#d').innerHTML = '<select id="i"><option>a</option><option>b</option></select>' })</script>`,
    does: { kind: 'select', text: 'Size', values: ['b'] },
    tells: value,
    expect: 'b',
  },
  {
    says: 'selects in a list that replaces another element',
    page: `<div id="d"><div id="i">Loading</div></div><script>late(600, () => { $('#d').innerHTML = '<select id="i"><option>a</option><option>b</option></select>' })</script>`,
    does: { kind: 'select', selector: '#i', values: ['b'] },
    tells: value,
    expect: 'b',
  },
  {
    says: 'fails with the name of an element that is not a list',
    page: '<p id="i">Text</p>',
    does: { kind: 'select', selector: '#i', values: ['b'] },
    fails: ['timeout', /no list: it is p#i/],
  },
  {
    says: 'selects by a text with zero-width characters',
    page: '<select id="i"><option value="1">a</option><option value="2">one&#8203;two&#xfeff;</option></select>',
    does: { kind: 'select', selector: '#i', values: ['onetwo'] },
    tells: value,
    expect: '2',
  },
];
