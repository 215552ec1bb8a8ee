import { button, clicked, tap, type Case } from './case.ts';

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
    says: 'reaches an element under a sticky header',
    page: `<div style="position:sticky;top:0;height:80px;background:#ccc">Head</div>${button.replace('<button', '<button style="display:block"')}${tall}<script>scrollTo(0, 40)</script>`,
    ...clicked,
  },
  {
    says: 'reaches an element under a fixed footer',
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
    says: 'taps an element with fractional coordinates',
    page: '<button id="b" style="position:absolute;left:10.4px;top:20.6px;width:30.3px;height:20.7px" onclick="log(\'clicked\')">G</button>',
    ...clicked,
  },
  {
    says: 'taps a tiny element',
    page: '<div id="b" style="position:absolute;left:10px;top:10px;width:2px;height:2px;background:red" onclick="log(\'clicked\')"></div>',
    ...clicked,
  },
  {
    says: 'taps an element larger than the viewport',
    page: '<div id="b" style="height:3000px;background:#ccc" onclick="log(\'clicked\')">Big</div>',
    ...clicked,
  },
  {
    says: 'taps an element whose centre is covered by a descendant',
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
    says: 'taps an element whose box is only that of its children',
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
    says: 'sends trusted events',
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
