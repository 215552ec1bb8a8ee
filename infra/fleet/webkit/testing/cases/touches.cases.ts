import { button, clicked, on, tap, type Case } from './case.ts';

/** A tap on `#x`, and one on a button after it. */
const after = (says: string, page: string): Case => ({
  says,
  page: `${page}<p>${button}</p>`,
  does: [tap('#x'), tap('#b')],
  expect: 'clicked',
});
const track =
  "<script>for (const t of ['touchstart','touchmove','touchend','touchcancel','mousedown','mouseup','click']) addEventListener(t, () => { if (lines.at(-1) !== t) log(t) }, true)</script>";

/** Events that a page gets from a touch, and its side effects. */
export const touches: readonly Case[] = [
  {
    says: 'a tap has its mouse events even if the touch of the tap before removed its element',
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
    says: 'touches again if no click could follow',
    page: `<style>#b{position:absolute}</style><button id="b" onclick="log('clicked')">Go</button><script>addEventListener('touchstart', () => log('touch')); let once = true; addEventListener('mousemove', () => { if (once) b.style.top = '200px'; once = false })</script>`,
    does: tap('#b'),
    expect: 'touch touch clicked',
  },
  after(
    'a list that was tapped is in the way of nothing',
    '<select id="x"><option>a</option><option>b</option></select>',
  ),
  after('a color field that was tapped is in the way of nothing', '<input id="x" type="color">'),
  after('a date field that was tapped is in the way of nothing', '<input id="x" type="date">'),
  after('a file field that was tapped is in the way of nothing', '<input id="x" type="file">'),
  after(
    'a field with suggestions that was tapped is in the way of nothing',
    '<input id="x" list="l"><datalist id="l"><option>a</option></datalist>',
  ),
  after(
    'a form that asks for what is missing is in the way of nothing',
    '<form><input required><button id="x">Send</button></form>',
  ),
  after(
    'a page that asks to print is in the way of nothing',
    '<button id="x" onclick="print()">Print</button>',
  ),
  after(
    'a page that asks for the whole screen is in the way of nothing',
    '<button id="x" onclick="document.documentElement.requestFullscreen?.()">Full</button>',
  ),
  after(
    'a page that asks for a notification is in the way of nothing',
    '<button id="x" onclick="Notification?.requestPermission?.()">Ask</button>',
  ),
  {
    says: 'a long press leaves no menu in the way',
    page: `<a id="x" href="#x">Link</a><p>${button}</p>`,
    does: [{ kind: 'long_press', selector: '#x' }, tap('#b')],
    expect: 'clicked',
  },
  {
    says: 'a long press on a text leaves no selection in the way',
    page: `<p id="x">Some words to hold</p><p>${button}</p>`,
    does: [{ kind: 'long_press', selector: '#x' }, tap('#b')],
    expect: 'clicked',
  },
  {
    says: 'a swipe over links and pictures scrolls and drags nothing',
    page: `<a href="#x" ${on('wrong')} style="display:block;height:3000px"><img width="390" height="600" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"></a><script>addEventListener('dragstart', () => log('dragged'))</script>`,
    does: { kind: 'swipe', x1: 100, y1: 500, x2: 100, y2: 300 },
    tells: 'lines + (scrollY > 100)',
    expect: 'true',
  },
  {
    says: 'a passive listener does not prevent a touch',
    page: `${button}<script>b.addEventListener('touchstart', (e) => e.preventDefault(), { passive: true })</script>`,
    ...clicked,
  },
  {
    says: 'listeners of the document are passive by default',
    page: `${button}<script>document.addEventListener('touchstart', (e) => e.preventDefault())</script>`,
    ...clicked,
  },
  {
    says: 'a page that stops the propagation of all touches gets its click',
    page: `${button}<script>for (const t of ['touchstart', 'touchend', 'mouseup']) addEventListener(t, (e) => e.stopImmediatePropagation(), true)</script>`,
    ...clicked,
  },
  {
    says: 'events of a touch reach a shadow tree with its element',
    page: `<x-t></x-t><script>customElements.define('x-t', class extends HTMLElement { constructor() { super(); const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<button id="b">Go</button>'; for (const t of ['pointerdown', 'touchstart', 'pointerup', 'click']) root.querySelector('#b').addEventListener(t, (e) => log(t + ':' + e.target.id)); } }); addEventListener('pointerdown', (e) => log(e.target.localName))</script>`,
    does: tap('#b'),
    expect: 'pointerdown:b x-t touchstart:b pointerup:b click:b',
  },
  {
    says: 'a pointer is captured in a shadow tree',
    page: `<x-t></x-t><script>customElements.define('x-t', class extends HTMLElement { constructor() { super(); const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<div id="b" style="width:100px;height:100px;touch-action:none"></div>'; const b = root.querySelector('#b'); b.addEventListener('pointerdown', (e) => { b.setPointerCapture(e.pointerId); log(String(b.hasPointerCapture(e.pointerId))) }); b.addEventListener('pointermove', () => { if (!lines.includes('moved')) log('moved') }); b.addEventListener('lostpointercapture', () => log('lost')) } })</script>`,
    does: { kind: 'drag', from: { x: 50, y: 50 }, to: { x: 50, y: 300 } },
    expect: 'true moved lost',
  },
  {
    says: 'a click has the detail, button and coordinates of a finger',
    page: `<button id="b" style="position:absolute;left:20px;top:30px;width:60px;height:40px">Go</button><script>b.onclick = (e) => log([e.detail, e.button, e.buttons, e.clientX, e.clientY, e.screenX > 0, e.isTrusted].join())</script>`,
    does: tap('#b'),
    expect: '1,0,0,50,50,true,true',
  },
  {
    says: 'two taps on two elements are two clicks, whatever the time between them',
    page: `<button id="a" ${on('a')}>A</button><button id="b" ${on('b')}>B</button><script>addEventListener('dblclick', () => log('double'))</script>`,
    does: [tap('#a'), tap('#b'), tap('#a')],
    expect: 'a b a',
  },
  {
    says: 'a double tap works if each click redraws the element',
    page: `<div id="d"></div><script>let n = 0; const draw = () => { $('#d').innerHTML = '<button id="b">Go</button>' }; draw(); $('#d').addEventListener('click', () => { log('click'); draw() })</script>`,
    does: { kind: 'double_tap', selector: '#b' },
    expect: 'click click',
  },
  {
    says: 'holds an element that appears late',
    page: `<script>late(600, () => document.body.insertAdjacentHTML('beforeend', '<button id="b" ontouchstart="log(1)">Go</button>'))</script>`,
    does: { kind: 'long_press', selector: '#b' },
    expect: '1',
  },
  {
    says: 'holds the element that replaces a disabled one',
    page: `<div id="d"><button id="b" disabled>Go</button></div><script>late(600, () => { $('#d').innerHTML = '<button id="b" ontouchstart="log(2)">Go</button>' })</script>`,
    does: { kind: 'long_press', selector: '#b' },
    expect: '2',
  },
  {
    says: 'a touch has its own identifier, its force and the size of a finger',
    page: `<button id="b">Go</button><script>const seen = new Set(); b.addEventListener('touchstart', ({ changedTouches: [touch] }) => { seen.add(touch.identifier); log([Number.isInteger(touch.identifier), seen.size, touch.force, touch.radiusX, touch.radiusY, touch.rotationAngle, touch.touchType].join()) })</script>`,
    does: [tap('#b'), tap('#b')],
    expect: 'true,1,0,10,10,0,direct true,2,0,10,10,0,direct',
  },
];
