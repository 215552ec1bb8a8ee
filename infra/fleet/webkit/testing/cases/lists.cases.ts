import { type Case } from './case.ts';

const list = (attributes = '') =>
  `<select id="i" ${attributes}><option value="r">Red</option><option value="g">Green</option><option value="b" label="Blue">bbb</option></select><script>for (const t of ['input','change']) $('#i').addEventListener(t, () => log(t + $('#i').value))</script>`;

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
    says: 'selects others in the place of those before',
    page: list('multiple'),
    does: [
      { kind: 'select', selector: '#i', values: ['r'] },
      { kind: 'select', selector: '#i', values: ['g', 'b'] },
    ],
    tells: chosen,
    expect: 'g,b',
  },
  {
    says: 'selects the first of several in a list of one',
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
    says: 'selects by what the label says',
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
];
