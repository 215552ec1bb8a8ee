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
    says: 'does nothing to a box that has that state already',
    page: '<input id="i" type="checkbox" checked onclick="log(1)">',
    does: check('#i'),
    answers: /already had this state/,
    expect: '',
  },
  {
    says: 'sends the page one change event',
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
    says: 'fails if the page restores the state of the box',
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
  {
    says: 'checks a box within a button',
    page: '<div role="button"><input id="i" type="checkbox"></div>',
    does: { kind: 'check', selector: '#i', checked: true },
    tells: "$('#i').checked",
    expect: 'true',
  },
  {
    says: 'checks an indeterminate box',
    page: '<input id="i" type="checkbox"><script>$("#i").indeterminate = true</script>',
    does: { kind: 'check', selector: '#i', checked: true },
    tells: "$('#i').checked + ',' + $('#i').indeterminate",
    expect: 'true,false',
  },
  {
    says: 'checks a hidden box beside the link in its label',
    page: '<input id="i" type="checkbox" style="display:none"><label for="i"><a href="#no" onclick="log(\'wrong\')">A long link to all of the terms of use</a> and so on</label>',
    does: { kind: 'check', selector: '#i', checked: true },
    tells: "lines + String($('#i').checked)",
    expect: 'true',
  },
  {
    says: 'checks a box that the page redraws when it is tapped',
    page: `<div id="d"></div><script>let on = false; const draw = () => { $('#d').innerHTML = '<div id="i" role="checkbox" aria-checked="' + on + '">Box</div>' }; draw(); $('#d').addEventListener('click', () => { on = !on; draw(); log('click') })</script>`,
    does: { kind: 'check', selector: '#i', checked: true },
    tells: "lines + $('#i').getAttribute('aria-checked')",
    expect: 'clicktrue',
  },
  {
    says: 'checks a switch that a button makes',
    page: `<button id="i" role="switch" aria-checked="false" onclick="this.setAttribute('aria-checked', 'true')"><span>On</span></button>`,
    does: { kind: 'check', selector: '#i span', checked: true },
    tells: "$('#i').getAttribute('aria-checked')",
    expect: 'true',
  },
  {
    says: 'checks one of a list of options',
    page: `<div role="listbox"><div id="i" role="option" aria-selected="false" onclick="this.setAttribute('aria-selected', 'true')">One</div></div>`,
    does: { kind: 'check', selector: '#i', checked: true },
    tells: "$('#i').getAttribute('aria-selected')",
    expect: 'true',
  },
  {
    says: 'unchecks a switch by its label',
    page: `<div><span id="l">Wifi</span><div id="i" role="switch" aria-labelledby="l" aria-checked="true" onclick="this.setAttribute('aria-checked', 'false')">o</div></div>`,
    does: { kind: 'check', label: 'Wifi', checked: false },
    tells: "$('#i').getAttribute('aria-checked')",
    expect: 'false',
  },
];
