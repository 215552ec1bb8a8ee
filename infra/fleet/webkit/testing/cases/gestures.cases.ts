import { tap, type Case } from './case.ts';

const track =
  "<script>for (const t of ['touchstart','touchmove','touchend','touchcancel','mousedown','mouseup','click']) addEventListener(t, () => { if (lines.at(-1) !== t) log(t) }, true)</script>";

const wide = '<div style="height:3000px;width:100%">Tall</div>';
const carousel = `<div id="c" style="width:300px;overflow-x:auto;white-space:nowrap"><div style="width:2000px;height:200px">Wide</div></div>${wide}`;
const swipe = (x1: number, y1: number, x2: number, y2: number) =>
  ({ kind: 'swipe', x1, y1, x2, y2, duration_ms: 300 }) as const;

const drag = (from: string, to: string) =>
  ({ kind: 'drag', from: { selector: from }, to: { selector: to } }) as const;

const dragPage = `<div id="s" draggable="true" style="width:80px;height:80px;background:#cfc">Source</div><div id="t" style="width:80px;height:80px;margin-top:60px;background:#ccf">Target</div>
  <script>$('#s').addEventListener('dragstart', (e) => { e.dataTransfer.setData('text/plain', 'carried'); log('dragstart') });
  $('#t').addEventListener('dragenter', () => log('dragenter')); $('#t').addEventListener('dragover', (e) => { e.preventDefault(); if (lines.at(-1) !== 'dragover') log('dragover') });
  $('#t').addEventListener('drop', (e) => { e.preventDefault(); log('drop:' + e.dataTransfer.getData('text/plain')) }); $('#s').addEventListener('dragend', () => log('dragend'))</script>`;

export const gestures: readonly Case[] = [
  {
    says: 'a tap has its mouse events after one whose element was removed by its touch',
    page: `<button id="a" ontouchstart="this.remove()">A</button><p><button id="b">B</button></p><script>for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click']) b.addEventListener(type, (e) => log(e.isPrimary === false ? 'second' : type))</script>`,
    does: [tap('#a'), tap('#b')],
    expect: 'pointerdown mousedown mouseup click',
  },
  {
    says: 'touches before it clicks',
    page: `<button id="b">Go</button>${track}`,
    does: tap('#b'),
    expect: 'touchstart touchend mousedown mouseup click',
  },
  ...['touchstart', 'touchend'].map((name): Case => ({
    says: `does not click when the page prevents ${name}`,
    page: `<button id="b" onclick="log('clicked')">Go</button><script>b.addEventListener('${name}', (e) => { e.preventDefault(); log('mine') }, { passive: false })</script>`,
    does: tap('#b'),
    expect: 'mine',
  })),
  {
    says: 'does not click at a point when the page prevents touches',
    page: `<button id="b" style="width:100px;height:100px" onclick="log('clicked')">Go</button><script>b.addEventListener('touchend', (e) => e.preventDefault(), { passive: false })</script>`,
    does: { kind: 'tap', x: 50, y: 50 },
    expect: '',
  },
  {
    says: 'holds a finger and clicks nothing',
    page: `<button id="b">Go</button>${track}`,
    does: { kind: 'long_press', selector: '#b', duration_ms: 600 },
    expect: 'touchstart touchend',
  },
  {
    says: 'touches twice for a double tap',
    page: `<button id="b">Go</button><script>let n = 0; addEventListener('touchend', () => n++)</script>`,
    does: { kind: 'double_tap', selector: '#b' },
    tells: 'n',
    expect: '2',
  },
  {
    says: 'touches again where no click could follow',
    page: `<style>#b{position:absolute}</style><button id="b" onclick="log('clicked')">Go</button><script>addEventListener('touchstart', () => log('touch')); let once = true; addEventListener('mousemove', () => { if (once) b.style.top = '200px'; once = false })</script>`,
    does: tap('#b'),
    expect: 'touch touch clicked',
  },
  {
    says: 'swipes the page by the way of the finger',
    page: wide,
    does: swipe(100, 500, 100, 200),
    tells: 'Math.abs(scrollY - 300) < 100',
    expect: 'true',
  },
  {
    says: 'swipes the page back',
    page: `${wide}<script>scrollTo(0, 1000)</script>`,
    does: swipe(100, 200, 100, 500),
    tells: 'Math.abs(scrollY - 700) < 100',
    expect: 'true',
  },
  {
    says: 'swipes a carousel and not the page',
    page: carousel,
    does: swipe(250, 100, 50, 100),
    tells: "[Math.abs($('#c').scrollLeft - 200) < 60, scrollX, scrollY].join()",
    expect: 'true,0,0',
  },
  {
    says: 'swipes the page over a carousel when the finger goes up',
    page: carousel,
    does: swipe(100, 190, 100, 90),
    tells: "[$('#c').scrollLeft, Math.abs(scrollY - 100) < 60].join()",
    expect: '0,true',
  },
  {
    says: 'clicks nothing where a swipe begins or ends',
    page: `<div style="height:3000px" onclick="log('clicked')">Tall</div>`,
    does: swipe(100, 500, 100, 200),
    expect: '',
  },
  {
    says: 'scrolls nothing when the page prevents the moves',
    page: `${wide}<script>addEventListener('touchmove', (e) => e.preventDefault(), { passive: false })</script>`,
    does: swipe(100, 500, 100, 200),
    tells: 'scrollY',
    expect: '0',
  },
  {
    says: 'scrolls nothing where touch-action is none',
    page: `<div style="touch-action:none">${wide}</div>`,
    does: swipe(100, 500, 100, 200),
    tells: 'scrollY',
    expect: '0',
  },
  {
    says: 'gives a page that prevents it all moves of a swipe',
    page: `<div style="height:600px" id="d"></div><script>let n = 0; addEventListener('touchmove', (e) => { n++; e.preventDefault() }, { passive: false }); addEventListener('touchend', () => log('end'))</script>`,
    does: swipe(100, 500, 100, 200),
    tells: 'lines + (n > 2)',
    expect: 'endtrue',
  },
  {
    says: 'swipes what scrolls in a page that does not',
    page: `<style>html,body{overflow:hidden;height:100%}</style><div id="s" style="height:400px;overflow-y:scroll">${wide}</div>`,
    does: swipe(100, 300, 100, 100),
    tells: "Math.abs($('#s').scrollTop - 200) < 70",
    expect: 'true',
  },
  {
    says: 'scrolls nothing in a page that hides what overflows',
    page: `<style>html,body{overflow:hidden;height:100%}</style>${wide}`,
    does: swipe(100, 300, 100, 100),
    tells: 'scrollY',
    expect: '0',
  },
  {
    says: 'scrolls the page by a distance',
    page: wide,
    does: { kind: 'scroll', delta_y: 120 },
    tells: 'scrollY',
    expect: '120',
  },
  {
    says: 'scrolls an element into view',
    page: `${wide}<p id="p">Bottom</p>`,
    does: { kind: 'scroll', selector: '#p' },
    tells: "$('#p').getBoundingClientRect().top < innerHeight",
    expect: 'true',
  },
  {
    says: 'scrolls a scroller',
    page: `<div id="s" style="height:200px;overflow:auto">${wide}</div>`,
    does: { kind: 'scroll', selector: '#s', delta_y: 150 },
    tells: "[$('#s').scrollTop, scrollY].join()",
    expect: '150,0',
  },
  {
    says: 'scrolls the scroller around an element',
    page: `<div id="s" style="height:200px;overflow:auto"><p id="p">Item</p>${wide}</div>`,
    does: { kind: 'scroll', selector: '#p', delta_y: 150 },
    tells: "[$('#s').scrollTop, scrollY].join()",
    expect: '150,0',
  },
  {
    says: 'scrolls the page over an element that is in no scroller',
    page: `<p id="p">Item</p>${wide}`,
    does: { kind: 'scroll', selector: '#p', delta_y: 150 },
    tells: 'scrollY',
    expect: '150',
  },
  {
    says: 'scrolls sideways',
    page: carousel,
    does: { kind: 'scroll', selector: '#c', delta_x: 90 },
    tells: "$('#c').scrollLeft",
    expect: '90',
  },
  {
    says: 'drags as HTML has it',
    page: dragPage,
    does: drag('#s', '#t'),
    expect: 'dragstart dragenter dragover drop:carried dragend',
  },
  {
    says: 'drops nothing where nobody takes it',
    page: dragPage.replace('e.preventDefault(); if', 'if'),
    does: drag('#s', '#t'),
    expect: 'dragstart dragenter dragover dragend',
  },
  {
    says: 'does not drag what the page keeps',
    page: `${dragPage}<script>$('#s').addEventListener('dragstart', (e) => e.preventDefault())</script>`,
    does: drag('#s', '#t'),
    expect: 'dragstart',
  },
  {
    says: 'drags between points',
    page: dragPage,
    does: { kind: 'drag', from: { x: 40, y: 40 }, to: { x: 40, y: 190 } },
    expect: 'dragstart dragenter dragover drop:carried dragend',
  },
  {
    says: 'moves on the way for a page that follows touches, and sends it no mouse',
    page: `<div id="s" style="width:80px;height:80px;background:#cfc"></div><div id="t" style="width:80px;height:80px;margin-top:200px;background:#ccf"></div><script>let n = 0; for (const t of ['touchstart','touchmove']) $('#s').addEventListener(t, (e) => { e.preventDefault(); n++ }, { passive: false }); addEventListener('touchend', () => log('end')); addEventListener('mousedown', () => log('mouse'))</script>`,
    does: drag('#s', '#t'),
    tells: "lines.join(' ') + (n > 3)",
    expect: 'endtrue',
  },
  {
    says: 'moves a slider',
    page: '<input id="i" type="range" style="width:200px;margin:0"><div id="t" style="position:absolute;left:190px;top:10px;width:2px;height:2px"></div>',
    does: { kind: 'drag', from: { selector: '#i' }, to: { selector: '#t' } },
    tells: "Number($('#i').value) > 80",
    expect: 'true',
  },
  {
    says: 'gives a field files',
    page: '<input id="i" type="file" multiple onchange="Promise.all([...this.files].map((f) => f.text())).then((t) => log(t.join()))">',
    does: [
      {
        kind: 'upload',
        selector: '#i',
        files: [
          { name: 'a.txt', mime: 'text/plain', data_base64: 'b25l' },
          { name: 'b.txt', data_base64: 'dHdv' },
        ],
      },
      { kind: 'wait', condition: { kind: 'delay', ms: 60 } },
    ],
    tells: "[...$('#i').files].map((f) => f.name + ':' + f.type).join() + ' ' + lines",
    expect: 'a.txt:text/plain,b.txt:application/octet-stream one,two',
  },
  {
    says: 'gives files to a hidden field by its label',
    page: '<label id="l">Photo <input id="i" type="file" style="display:none" oninput="log(\'input\')" onchange="log(\'change\')"></label>',
    does: { kind: 'upload', selector: '#l', files: [{ name: 'a', data_base64: 'YQ==' }] },
    expect: 'input change',
  },
  {
    says: 'knows no handle that nobody gave out',
    page: '<input id="i" type="file">',
    does: { kind: 'upload', selector: '#i', handle: 'h' },
    fails: ['page', /no file of this handle/],
  },
];
