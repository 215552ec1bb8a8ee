import { tap, type, type Case } from './case.ts';

const button = '<button id="b" onclick="log(\'clicked\')">Go</button>';
const clicked = { does: tap('#b'), expect: 'clicked' };

/** A button that cannot be tapped until `becomes` has run. */
const comes = (says: string, page: string, becomes: string): Case => ({
  says: `waits until ${says}`,
  page: `${page}<script>late(150, () => { log('ready'); ${becomes} })</script>`,
  does: tap('#b'),
  expect: 'ready clicked',
});
const never = (says: string, page: string, reason: RegExp): Case => ({
  says: `gives up on ${says}, and says why`,
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
    'what covers it lets touches through',
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

const refuses = (says: string, page: string, does: Case['does'], reason: RegExp): Case => ({
  says: `refuses ${says} at once`,
  page,
  does,
  fails: ['page', reason],
  limit: 4_000,
});

export const refusals: readonly Case[] = [
  refuses('a selector that is none', '', tap('!!'), /not a valid CSS selector/),
  refuses(
    'text for a button',
    '<button id="b">Go</button>',
    type('#b', 'x'),
    /takes no text: it is button#b/,
  ),
  refuses('text for a check box', '<input id="i" type="checkbox">', type('#i', 'x'), /takes no text/),
  refuses('text for a list', '<select id="s"><option>a</select>', type('#s', 'x'), /takes no text/),
  refuses('text for a paragraph', '<p id="p">a</p>', type('#p', 'x'), /takes no text/),
  refuses(
    'to clear a button',
    '<button id="b">Go</button>',
    { kind: 'clear', selector: '#b' },
    /takes no text/,
  ),
  refuses(
    'to check what is no box',
    '<div id="d">a</div>',
    { kind: 'check', selector: '#d', checked: true },
    /no check box: it is div#d/,
  ),
  refuses(
    'to uncheck a radio button',
    '<input id="r" type="radio" checked>',
    { kind: 'check', selector: '#r', checked: false },
    /radio/,
  ),
  refuses(
    'to select of what is no list',
    '<input id="i">',
    { kind: 'select', selector: '#i', values: ['a'] },
    /no list/,
  ),
  refuses(
    'files for a text field',
    '<input id="i">',
    { kind: 'upload', selector: '#i', files: [{ name: 'a', data_base64: 'YQ==' }] },
    /takes no files/,
  ),
  refuses(
    'two files for a field of one',
    '<input id="i" type="file">',
    {
      kind: 'upload',
      selector: '#i',
      files: [
        { name: 'a', data_base64: 'YQ==' },
        { name: 'b', data_base64: 'YQ==' },
      ],
    },
    /one file/,
  ),
  refuses('a point outside of the viewport', '', { kind: 'tap', x: 9_999, y: 1 }, /outside the viewport/),
  refuses('two names for one element', '<p>a</p>', { kind: 'tap', selector: 'p', text: 'a' }, /in one way/),
  refuses('an action without an element', '', { kind: 'clear' }, /Name the element/),
  refuses('a key that is none', '', { kind: 'press', key: 'NoSuchKey' }, /no key of that name/),
  refuses(
    'an element for a frame',
    '<p id="p">a</p>',
    { kind: 'tap', selector: 'a', frame: '#p' },
    /which is none/,
  ),
  refuses(
    'a pattern that is none',
    '',
    { kind: 'wait', condition: { kind: 'url', pattern: '/(/' } },
    /regular expression/,
  ),
  ...(
    [
      ['date', '2024-13-45'],
      ['date', 'tomorrow'],
      ['time', '25:00'],
      ['datetime-local', 'noon'],
      ['month', '2024'],
      ['week', '2024-01-01'],
      ['number', 'twelve'],
      ['range', '1000'],
      ['color', 'reddish'],
    ] as const
  ).map(([kind, text]) =>
    refuses(
      `${text} for a field of type ${kind}`,
      `<input id="i" type="${kind}">`,
      type('#i', text),
      new RegExp(`type ${kind} takes`),
    ),
  ),
];

const tall = '<div style="height:2000px"></div>';
export const reaching: readonly Case[] = [
  { says: 'scrolls down to an element', page: tall + button, ...clicked },
  {
    says: 'scrolls up to an element',
    page: `${button}${tall}<script>scrollTo(0, 1500)</script>`,
    ...clicked,
  },
  {
    says: 'does not scroll for an element that is in view',
    page: `<div style="height:300px"></div>${button}${tall}<script>addEventListener('scroll', () => log('scrolled'))</script>`,
    ...clicked,
  },
  {
    says: 'does not scroll for an element half in view whose middle shows',
    page: `<div style="height:620px"></div><button id="b" style="height:60px" onclick="log('clicked')">Go</button>${tall}<script>addEventListener('scroll', () => log('scrolled'))</script>`,
    ...clicked,
  },
  {
    says: 'scrolls a scroller',
    page: `<div style="height:100px;overflow:auto">${tall}${button}</div>`,
    ...clicked,
  },
  {
    says: 'scrolls a scroller in a scroller',
    page: `${tall}<div style="height:200px;overflow:auto">${tall}<div style="height:100px;overflow:auto">${tall}${button}</div></div>`,
    ...clicked,
  },
  {
    says: 'scrolls sideways',
    page: `<div style="width:3000px;text-align:right">${button}</div>`,
    ...clicked,
  },
  {
    says: 'reaches what is under a sticky header',
    page: `<div style="position:sticky;top:0;height:80px;background:#ccc">Head</div>${button.replace('<button', '<button style="display:block"')}${tall}<script>scrollTo(0, 40)</script>`,
    ...clicked,
  },
  {
    says: 'reaches what is under a fixed footer',
    page: `${'<p>a</p>'.repeat(14)}<div style="height:120px"></div>${button}${tall}<div style="position:fixed;bottom:0;left:0;right:0;height:200px;background:#ccc">Foot</div>`,
    ...clicked,
  },
  {
    says: 'taps the first line of a link that wraps',
    page: `<div style="width:150px">Some words here <a id="b" href="#x" onclick="log('clicked');return false">that go on for very long lines of it</a> end</div>`,
    ...clicked,
  },
  {
    says: 'taps an inline link with a block in it',
    page: `<a id="b" href="#x" onclick="log('clicked');return false"><div style="height:40px">Block</div></a>`,
    ...clicked,
  },
  {
    says: 'taps a transformed element',
    page: '<button id="b" style="transform:rotate(30deg) scale(1.5) translate(80px,60px)" onclick="log(\'clicked\')">Go</button>',
    ...clicked,
  },
  {
    says: 'taps an element of fractions of pixels',
    page: '<button id="b" style="position:absolute;left:10.4px;top:20.6px;width:30.3px;height:20.7px" onclick="log(\'clicked\')">G</button>',
    ...clicked,
  },
  {
    says: 'taps a tiny element',
    page: '<div id="b" style="position:absolute;left:10px;top:10px;width:2px;height:2px;background:red" onclick="log(\'clicked\')"></div>',
    ...clicked,
  },
  {
    says: 'taps what is larger than the viewport',
    page: '<div id="b" style="height:3000px;background:#ccc" onclick="log(\'clicked\')">Big</div>',
    ...clicked,
  },
  {
    says: 'taps an element by what is inside of it',
    page: '<button id="b" onclick="log(\'clicked\')"><span style="display:block;padding:20px">Go</span></button>',
    ...clicked,
  },
  {
    says: 'taps a word in a button',
    page: '<button onclick="log(\'clicked\')"><span id="b">Go</span></button>',
    ...clicked,
  },
  {
    says: 'taps a control through its label',
    page: '<label style="position:relative;display:block;padding:20px"><input id="b" type="checkbox" style="opacity:0" onchange="log(\'clicked\')"><span style="position:absolute;inset:0;background:#cfc">Box</span></label>',
    ...clicked,
  },
  {
    says: 'taps a label',
    page: '<label id="b" for="c">Box</label><input id="c" type="checkbox" onchange="log(\'clicked\')">',
    ...clicked,
  },
  {
    says: 'taps an element of svg',
    page: '<svg width="100" height="100"><circle id="b" cx="50" cy="50" r="40" onclick="log(\'clicked\')"/></svg>',
    ...clicked,
  },
  {
    says: 'taps an element whose box is that of its children',
    page: '<div id="b" style="display:contents" onclick="log(\'clicked\')"><p>Text</p></div>',
    ...clicked,
  },
  {
    says: 'taps the first visible of several, and says how many there were',
    page: '<button class="b" style="display:none" onclick="log(1)">a</button><button class="b" onclick="log(2)">b</button><button class="b" onclick="log(3)">c</button>',
    does: tap('.b'),
    answers: /first of 3/,
    expect: '2',
  },
  {
    says: 'follows a link',
    page: '<a href="{{here}}next">Next</a>',
    frames: { next: '<title>Next page</title>' },
    does: [tap('a'), { kind: 'wait', condition: { kind: 'url', pattern: '**/next' } }],
    expect: 'Next page',
  },
  {
    says: 'waits for the next page after a tap that leads to it',
    page: '<a href="{{here}}next">Next</a>',
    frames: { next: '<title>Next page</title><p id="p" onclick="document.title=\'tapped\'">Late</p>' },
    does: [tap('a'), tap('#p')],
    expect: 'tapped',
  },
  {
    says: 'sends one click and no double click',
    page: '<button id="b">Go</button><script>for (const t of ["mousedown","mouseup","click","dblclick"]) b.addEventListener(t, () => log(t))</script>',
    does: tap('#b'),
    expect: 'mousedown mouseup click',
  },
  {
    says: 'taps twice without a double click',
    page: '<button id="b">Go</button><script>for (const t of ["click","dblclick"]) b.addEventListener(t, (e) => log(t + e.detail))</script>',
    does: [tap('#b'), tap('#b')],
    expect: 'click1 click1',
  },
  {
    says: 'taps a point twice without a double click',
    page: '<button id="b" style="width:100px;height:100px">Go</button><script>for (const t of ["click","dblclick"]) b.addEventListener(t, (e) => log(t + e.detail))</script>',
    does: [
      { kind: 'tap', x: 50, y: 50 },
      { kind: 'tap', x: 50, y: 50 },
    ],
    expect: 'click1 click1',
  },
  {
    says: 'double taps as a double click',
    page: '<button id="b">Go</button><script>for (const t of ["click","dblclick"]) b.addEventListener(t, () => log(t))</script>',
    does: { kind: 'double_tap', selector: '#b' },
    expect: 'click click dblclick',
  },
  {
    says: 'sends events a page can trust',
    page: '<button id="b" onclick="log(event.isTrusted)">Go</button>',
    does: tap('#b'),
    expect: 'true',
  },
  {
    says: 'gives a tapped field the focus',
    page: '<input id="b" onfocus="log(\'focus\')">',
    does: tap('#b'),
    expect: 'focus',
  },
  {
    says: 'submits a form',
    page: '<form onsubmit="log(\'sent\');return false"><button id="b">Go</button></form>',
    does: tap('#b'),
    expect: 'sent',
  },
  {
    says: 'opens details',
    page: '<details id="d"><summary id="b">More</summary>Text</details>',
    does: tap('#b'),
    tells: "$('#d').open",
    expect: 'true',
  },
];

const trap = `<style>#b,#x{position:absolute;width:100px;height:40px}</style>`;
export const moving: readonly Case[] = [
  {
    says: 'meets an element that jumps away when it is touched',
    page: `${trap}<button id="b" onclick="log('clicked')">Go</button><script>let jumps = 0; addEventListener('mousemove', () => { if (jumps++ < 2) b.style.top = jumps * 150 + 'px' })</script>`,
    ...clicked,
  },
  {
    says: 'does nothing to what comes up where the element was',
    page: `${trap}<button id="b" onclick="log('clicked')">Go</button><script>let once = true; addEventListener('mousemove', () => { if (!once) return; once = false; b.style.top = '300px'; document.body.insertAdjacentHTML('beforeend', '<button id="x" onclick="log(\\'wrong\\')">X</button>') })</script>`,
    ...clicked,
  },
  {
    says: 'taps again when something comes in front of it in that moment',
    page: `${trap}<button id="b" onclick="log('clicked')">Go</button><script>let once = true; addEventListener('mousemove', () => { if (!once) return; once = false; document.body.insertAdjacentHTML('beforeend', '<div id="x" onclick="log(\\'wrong\\')" style="background:red">X</div>'); late(100, () => $('#x').remove()) })</script>`,
    ...clicked,
  },
  {
    says: 'taps an element that is disabled and enabled again in that moment',
    page: `<button id="b" onclick="log('clicked')">Go</button><script>let once = true; addEventListener('mousemove', () => { if (!once) return; once = false; b.disabled = true; late(100, () => { b.disabled = false }) })</script>`,
    ...clicked,
  },
  {
    says: 'does not tap twice when a touch itself removes the element',
    page: `<div id="d"><button class="b">1</button><button class="b">2</button></div><script>for (const b of document.querySelectorAll('.b')) b.addEventListener('touchend', () => { log(b.textContent); b.remove() })</script>`,
    does: tap('.b'),
    expect: '1',
  },
  {
    says: 'is content when a press itself removes the element',
    page: `<button id="b" onmousedown="log('down');this.remove()">Go</button>`,
    does: tap('#b'),
    expect: 'down',
  },
  {
    says: 'gives up when the element always gets away, and clicks nothing',
    page: `${trap}<button id="b" onclick="log('clicked')">Go</button><div onclick="log('wrong')" style="height:600px"></div><script>let n = 0; addEventListener('mousemove', () => { b.style.top = (n = (n + 100) % 500) + 'px' })</script>`,
    does: tap('#b'),
    fails: ['timeout', /./],
    limit: 500,
    expect: '',
  },
  {
    says: 'taps an element that came late and slides in',
    page: `<style>#b{position:absolute;left:-300px;transition:left .2s}#b.in{left:20px}</style><div id="d"></div><script>late(100, () => { $('#d').innerHTML = '<button id="b" onclick="log(1)">Go</button>'; $('#b').getBoundingClientRect(); $('#b').className = 'in' })</script>`,
    does: tap('#b'),
    expect: '1',
  },
  {
    says: 'taps after the list above it has grown',
    page: `<div id="d"></div>${button}<script>let n = 0; const grow = () => { $('#d').insertAdjacentHTML('beforeend', '<p>Item</p>'); if (n++ < 8) late(20, grow) }; grow()</script>`,
    ...clicked,
  },
  {
    says: 'taps in a list that scrolls by itself until it rests',
    page: `<div id="s" style="height:200px;overflow:auto"><div style="height:1000px"></div>${button}<div style="height:1000px"></div></div><script>let n = 0; const t = setInterval(() => { $('#s').scrollTop += 20; if (n++ > 10) clearInterval(t) }, 16)</script>`,
    ...clicked,
  },
];
