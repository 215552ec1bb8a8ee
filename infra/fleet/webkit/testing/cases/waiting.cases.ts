import { button, tap, type, type Case } from './case.ts';

/** A button that cannot be tapped until `becomes` has run. */
const comes = (says: string, page: string, becomes: string): Case => ({
  says: `waits until ${says}`,
  page: `${page}<script>late(150, () => { log('ready'); ${becomes} })</script>`,
  does: tap('#b'),
  expect: 'ready clicked',
});

const never = (says: string, page: string, reason: RegExp): Case => ({
  says: `gives up on ${says}, with the reason`,
  page,
  does: tap('#b'),
  fails: ['timeout', reason],
  expect: '',
});

const cover = (style = '') =>
  `<div id="cover" class="modal" style="position:fixed;inset:0;background:#eee;${style}"></div>`;

export const waits: readonly Case[] = [
  comes('it is there', '<div id="d"></div>', `$('#d').innerHTML = \`${button}\``),
  comes('it is displayed', `<div id="d" style="display:none">${button}</div>`, "$('#d').style.display = ''"),
  comes(
    'it is visible',
    `<div id="d" style="visibility:hidden">${button}</div>`,
    "$('#d').style.visibility = ''",
  ),
  comes(
    'it has a size',
    '<button id="b" style="width:0;height:0;padding:0;border:0;overflow:hidden" onclick="log(\'clicked\')"></button>',
    "b.style.width = b.style.height = '40px'",
  ),
  comes(
    'it is enabled',
    '<button id="b" disabled onclick="log(\'clicked\')">Go</button>',
    'b.disabled = false',
  ),
  comes(
    'its fieldset is enabled',
    `<fieldset id="f" disabled>${button}</fieldset>`,
    "$('#f').disabled = false",
  ),
  comes(
    'it is no longer aria-disabled',
    '<button id="b" aria-disabled="true" onclick="log(\'clicked\')">Go</button>',
    "b.removeAttribute('aria-disabled')",
  ),
  comes(
    'the button around it is enabled',
    '<button disabled id="o" onclick="log(\'clicked\')"><span id="b">Go</span></button>',
    "$('#o').disabled = false",
  ),
  comes('what covers it is gone', `${button}${cover()}`, "$('#cover').remove()"),
  comes(
    'the element over it lets touches through',
    `${button}${cover()}`,
    "$('#cover').style.pointerEvents = 'none'",
  ),
  comes(
    'it takes touches',
    '<button id="b" style="pointer-events:none" onclick="log(\'clicked\')">Go</button>',
    "b.style.pointerEvents = ''",
  ),
  comes(
    'details are open',
    `<details id="d"><summary>More</summary>${button}</details>`,
    "$('#d').open = true",
  ),
  comes(
    'a dialog is closed',
    `${button}<dialog id="d" style="width:100%;height:100%">Wait</dialog><script>$('#d').showModal()</script>`,
    "$('#d').close()",
  ),
  comes(
    'the element is replaced by one that can be tapped',
    '<div id="d"><button id="b" disabled>Go</button></div>',
    `$('#d').innerHTML = \`${button}\``,
  ),
  {
    says: 'waits until a transition has ended',
    page:
      '<style>#b{position:absolute;left:0;transition:left .3s linear}</style>' +
      button +
      "<script>b.ontransitionend = () => log('still'); b.getBoundingClientRect(); b.style.left = '200px'</script>",
    does: tap('#b'),
    expect: 'still clicked',
  },
  {
    says: 'waits until an animation by script has ended',
    page: `<div style="position:relative;height:60px"><button id="b" style="position:absolute" onclick="log('clicked')">Go</button></div><script>let x = 0; const move = () => { b.style.left = (x += 5) + 'px'; if (x < 200) requestAnimationFrame(move); else log('still'); }; requestAnimationFrame(move)</script>`,
    does: tap('#b'),
    expect: 'still clicked',
  },
  {
    says: 'types once a field is there',
    page: "<div id='d'></div><script>late(150, () => { $('#d').innerHTML = '<input id=i>' })</script>",
    does: type('#i', 'ab'),
    tells: "$('#i').value",
    expect: 'ab',
  },
  {
    says: 'types once a field is enabled',
    page: "<input id='i' disabled><script>late(150, () => { $('#i').disabled = false })</script>",
    does: type('#i', 'ab'),
    tells: "$('#i').value",
    expect: 'ab',
  },
  {
    says: 'types once a field is no longer read-only',
    page: "<input id='i' readonly><script>late(150, () => { $('#i').readOnly = false })</script>",
    does: type('#i', 'ab'),
    tells: "$('#i').value",
    expect: 'ab',
  },
  {
    says: 'types once a field is visible',
    page: "<input id='i' style='display:none'><script>late(150, () => { $('#i').style.display = '' })</script>",
    does: type('#i', 'ab'),
    tells: "$('#i').value",
    expect: 'ab',
  },
  {
    says: 'clears once a field is enabled',
    page: "<input id='i' value='x' disabled><script>late(150, () => { $('#i').disabled = false })</script>",
    does: { kind: 'clear', selector: '#i' },
    tells: "$('#i').value",
    expect: '',
  },
  {
    says: 'focuses once an element is visible',
    page: "<input id='i' style='display:none'><script>late(150, () => { $('#i').style.display = '' })</script>",
    does: { kind: 'focus', selector: '#i' },
    tells: 'document.activeElement.id',
    expect: 'i',
  },
  {
    says: 'checks once a box is enabled',
    page: "<input id='i' type='checkbox' disabled><script>late(150, () => { $('#i').disabled = false })</script>",
    does: { kind: 'check', selector: '#i', checked: true },
    tells: "$('#i').checked",
    expect: 'true',
  },
  {
    says: 'selects once an option is there',
    page: "<select id='s'><option>a</option></select><script>late(150, () => { $('#s').append(new Option('b')) })</script>",
    does: { kind: 'select', selector: '#s', values: ['b'] },
    tells: "$('#s').value",
    expect: 'b',
  },
  {
    says: 'selects once an option is enabled',
    page: "<select id='s'><option>a</option><option disabled id='o'>b</option></select><script>late(150, () => { $('#o').disabled = false })</script>",
    does: { kind: 'select', selector: '#s', values: ['b'] },
    tells: "$('#s').value",
    expect: 'b',
  },
  never('a missing element', '', /^No element matches/),
  never('an element that is not displayed', `<div style="display:none">${button}</div>`, /not visible/),
  never('an invisible element', `<div style="visibility:hidden">${button}</div>`, /not visible/),
  never('a disabled button', '<button id="b" disabled>Go</button>', /disabled/),
  never('a button in a disabled fieldset', `<fieldset disabled>${button}</fieldset>`, /disabled/),
  never('a covered button', button + cover(), /covered by div#cover\.modal\.$/),
  never(
    'a button under a modal dialog',
    `${button}<dialog id="d" style="width:90%;height:90%">Wait</dialog><script>$('#d').showModal()</script>`,
    /covered by/,
  ),
  never(
    'an element that never stands still',
    '<style>@keyframes m{from{left:0}to{left:200px}}#b{position:absolute;animation:m .2s linear infinite alternate}</style>' +
      button,
    /moving/,
  ),
  never(
    'an element outside of the viewport that nothing scrolls',
    '<button id="b" style="position:fixed;left:-200px;width:50px">Go</button>',
    /outside of the viewport/,
  ),
  never(
    'an element that takes no touches',
    '<div><button id="b" style="pointer-events:none" onclick="log(\'clicked\')">Go</button></div>',
    /covered by/,
  ),
  {
    says: 'says that a field is read-only',
    page: '<input id="i" readonly>',
    does: type('#i', 'a'),
    fails: ['timeout', /read-only/],
  },
  {
    says: 'says that a field is disabled',
    page: '<input id="i" disabled>',
    does: type('#i', 'a'),
    fails: ['timeout', /disabled/],
  },
  {
    says: 'says that a field is hidden',
    page: '<input id="i" style="display:none">',
    does: type('#i', 'a'),
    fails: ['timeout', /not visible/],
  },
  {
    says: 'does not clear a disabled field',
    page: '<input id="i" value="x" disabled>',
    does: { kind: 'clear', selector: '#i' },
    fails: ['timeout', /disabled/],
    tells: "$('#i').value",
    expect: 'x',
  },
  {
    says: 'does not clear a read-only field',
    page: '<input id="i" value="x" readonly>',
    does: { kind: 'clear', selector: '#i' },
    fails: ['timeout', /read-only/],
    tells: "$('#i').value",
    expect: 'x',
  },
  {
    says: 'does not select of a disabled list',
    page: '<select id="i" disabled><option>a<option>b</select>',
    does: { kind: 'select', selector: '#i', values: ['b'] },
    fails: ['timeout', /disabled/],
  },
  {
    says: 'says that an option is disabled',
    page: '<select id="i"><option>a<option disabled>b</select>',
    does: { kind: 'select', selector: '#i', values: ['b'] },
    fails: ['timeout', /option is disabled/],
  },
  {
    says: 'says that a list has no such option',
    page: '<select id="i"><option>a</select>',
    does: { kind: 'select', selector: '#i', values: ['z'] },
    fails: ['timeout', /no such option/],
  },
];
