import { type Case } from './case.ts';

const check = (selector: string, checked = true) => ({ kind: 'check', selector, checked }) as const;
const role = (name: string, state = 'false') =>
  `<div id="i" role="${name}" aria-checked="${state}" tabindex="0" onclick="this.setAttribute('aria-checked', String(this.getAttribute('aria-checked') !== 'true')); log('click')">Box</div>`;

const isChecked = "$('#i').checked";

export const boxes: readonly Case[] = [
  {
    says: 'checks a box',
    page: '<input id="i" type="checkbox">',
    does: check('#i'),
    tells: isChecked,
    expect: 'true',
  },
  {
    says: 'unchecks a box',
    page: '<input id="i" type="checkbox" checked>',
    does: check('#i', false),
    tells: isChecked,
    expect: 'false',
  },
  {
    says: 'does nothing to a box that is so already',
    page: '<input id="i" type="checkbox" checked onclick="log(1)">',
    does: check('#i'),
    answers: /so already/,
    expect: '',
  },
  {
    says: 'tells the page once',
    page: '<input id="i" type="checkbox" oninput="log(\'input\')" onchange="log(\'change\')" onclick="log(\'click\')">',
    does: check('#i'),
    expect: 'click input change',
  },
  {
    says: 'checks a box by the label around it',
    page: '<label id="l"><input id="i" type="checkbox">Yes</label>',
    does: check('#l'),
    tells: isChecked,
    expect: 'true',
  },
  {
    says: 'checks a box by a label beside it',
    page: '<label id="l" for="i">Yes</label><input id="i" type="checkbox">',
    does: check('#l'),
    tells: isChecked,
    expect: 'true',
  },
  {
    says: 'checks a hidden box by its label',
    page: '<input id="i" type="checkbox" style="display:none"><label for="i">Yes</label>',
    does: check('#i'),
    tells: isChecked,
    expect: 'true',
  },
  {
    says: 'checks a box without size by the label around it',
    page: '<label><input id="i" type="checkbox" style="position:absolute;width:0;height:0;appearance:none;margin:0;border:0"><span>Yes</span></label>',
    does: check('#i'),
    tells: isChecked,
    expect: 'true',
  },
  {
    says: 'checks a radio button',
    page: '<input name="r" type="radio" checked><input id="i" name="r" type="radio">',
    does: check('#i'),
    tells: isChecked,
    expect: 'true',
  },
  {
    says: 'leaves a radio button that is checked',
    page: '<input id="i" type="radio" checked onclick="log(1)">',
    does: check('#i'),
    expect: '',
  },
  ...['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'].map((name): Case => ({
    says: `checks an element of role ${name}`,
    page: role(name),
    does: check('#i'),
    tells: "$('#i').getAttribute('aria-checked')",
    expect: 'true',
  })),
  {
    says: 'unchecks an element of role checkbox',
    page: role('checkbox', 'true'),
    does: check('#i', false),
    tells: "$('#i').getAttribute('aria-checked')",
    expect: 'false',
  },
  {
    says: 'waits for a page that draws its box late',
    page: '<div id="i" role="checkbox" aria-checked="false" onclick="late(150, () => this.setAttribute(\'aria-checked\', \'true\'))">Box</div>',
    does: check('#i'),
    tells: "$('#i').getAttribute('aria-checked')",
    expect: 'true',
  },
  {
    says: 'says so when the page keeps the box as it was',
    page: '<input id="i" type="checkbox" onclick="return false">',
    does: check('#i'),
    fails: ['page', /did not change/],
    limit: 3_000,
    tells: isChecked,
    expect: 'false',
  },
  {
    says: 'checks a box out of view',
    page: '<div style="height:2000px"></div><input id="i" type="checkbox">',
    does: check('#i'),
    tells: isChecked,
    expect: 'true',
  },
];
