import { expect } from 'chai';
import type { Action } from '../../../contracts/resources/session.ts';
import { run } from './testing/browser.ts';
import { servePages } from './testing/pages.ts';
import { handsOf, withBrowser } from './testing/suite.ts';

interface Case {
  readonly says: string;
  /**
   * `log(word)` appends to the log, `listen(types)` logs events by their type, and `when(condition, then)` waits until
   * the condition is true.
   */
  readonly script?: string;
  readonly does: readonly Action[];
  readonly logs: string;
}

const tap: Action = { kind: 'tap', selector: '#pad' };
const swipe = (x1: number, y1: number, x2: number, y2: number): Action => ({ kind: 'swipe', x1, y1, x2, y2 });
const up = swipe(150, 560, 150, 460);
const stays = `setTimeout(() => log('scrolled ' + (scrollY > 0)), 300);`;

const cases: readonly Case[] = [
  {
    says: 'a tap is a pointer, a touch, then a mouse, then a click, in the order of a phone',
    script: `listen('pointerover pointerdown touchstart pointerup pointerout touchend mouseover mousemove mousedown mouseup click')`,
    does: [tap],
    logs: 'pointerover pointerdown touchstart pointerup pointerout touchend mouseover mousemove mousedown mouseup click',
  },
  {
    says: 'touches, mouse and click of a tap are trusted',
    script: `for (const type of ['touchstart', 'touchend', 'mousedown', 'mouseup', 'click']) pad.addEventListener(type, (event) => log(type + event.isTrusted))`,
    does: [tap],
    logs: 'touchstarttrue touchendtrue mousedowntrue mouseuptrue clicktrue',
  },
  {
    says: 'pointers are of type touch, primary, and never of a mouse',
    script: `for (const type of ['pointerdown', 'pointermove', 'pointerup', 'click']) addEventListener(type, ({ pointerType, isPrimary }) => log(pointerType + (type === 'click' ? '' : isPrimary)))`,
    does: [tap],
    logs: 'touchtrue touchtrue touch',
  },
  {
    says: 'a prevented touchstart suppresses mouse events and click',
    script: `pad.addEventListener('touchstart', (event) => event.preventDefault(), { passive: false }); listen('touchstart touchend mousedown mouseup click')`,
    does: [tap],
    logs: 'touchstart touchend',
  },
  {
    says: 'a prevented touchend suppresses mouse events and click, so that no page acts twice',
    script: `pad.addEventListener('touchend', (event) => event.preventDefault()); listen('touchstart touchend mousedown mouseup click')`,
    does: [tap],
    logs: 'touchstart touchend',
  },
  {
    says: 'a prevented pointerdown suppresses the mouse events, but not the click',
    script: `pad.addEventListener('pointerdown', (event) => event.preventDefault()); listen('touchstart touchend mousedown mouseup click')`,
    does: [tap],
    logs: 'touchstart touchend click',
  },
  {
    says: 'two taps in a row are two taps',
    script: `addEventListener('click', ({ detail }) => log('click' + detail)); listen('dblclick')`,
    does: [tap, tap],
    logs: 'click1 click1',
  },
  {
    says: 'a double tap is a double tap',
    script: `addEventListener('click', ({ detail }) => log('click' + detail)); listen('dblclick')`,
    does: [{ kind: 'double_tap', selector: '#pad' }],
    logs: 'click1 click2 dblclick',
  },
  {
    says: 'a long press is a touch that lasts, and no click',
    script: `let at; pad.addEventListener('touchstart', () => (at = performance.now())); pad.addEventListener('touchend', () => log('held ' + (performance.now() - at > 550))); listen('mousedown click contextmenu')`,
    does: [{ kind: 'long_press', selector: '#pad' }],
    logs: 'held true',
  },
  {
    says: 'a swipe scrolls the page under the finger and clicks nothing',
    script: `listen('mousedown click wheel'); addEventListener('touchend', () => setTimeout(when, 300, () => scrollY > 0, () => log('scrolled')))`,
    does: [up],
    logs: 'scrolled',
  },
  {
    says: 'a swipe that the page prevents scrolls nothing',
    script: `addEventListener('touchmove', (event) => event.preventDefault(), { passive: false }); addEventListener('touchend', () => { ${stays} })`,
    does: [up],
    logs: 'scrolled false',
  },
  {
    says: 'a swipe with touch-action none scrolls nothing, and its pointer is not cancelled',
    script: `document.documentElement.style.touchAction = 'none'; listen('pointercancel'); addEventListener('pointerup', () => log('up')); addEventListener('touchend', () => { ${stays} })`,
    does: [up],
    logs: 'up scrolled false',
  },
  {
    says: 'a pointer whose swipe begins to scroll is cancelled',
    script: `listen('pointerdown pointercancel pointerup')`,
    does: [up],
    logs: 'pointerdown pointercancel',
  },
  {
    says: 'a swipe over a carousel scrolls the carousel, and not the page',
    script: `addEventListener('touchend', () => setTimeout(when, 300, () => carousel.scrollLeft > 50, () => log([scrollY, scrollX].join())))`,
    does: [swipe(300, 250, 200, 250)],
    logs: '0,0',
  },
  {
    says: 'a swipe stops scrolling when the finger stops',
    script: `const rest = (y) => setTimeout(() => (scrollY > 0 && scrollY === y ? log(String(y <= 100)) : rest(scrollY)), 400); addEventListener('touchend', () => rest())`,
    does: [up],
    logs: 'true',
  },
  {
    says: 'a pinch zooms the page, and a tap then hits its element',
    script: `pad.addEventListener('click', () => log(String(visualViewport.scale > 1.5)))`,
    does: [{ kind: 'pinch', x: 190, y: 300, scale: 2 }, tap],
    logs: 'true',
  },
  {
    says: 'a pinch has two fingers, which a page can follow and prevent',
    script: `let most = 0; addEventListener('touchmove', (event) => { event.preventDefault(); most = Math.max(most, event.touches.length) }, { passive: false }); addEventListener('touchend', ({ touches }) => touches.length || setTimeout(() => log([most, visualViewport.scale].join()), 200))`,
    does: [{ kind: 'pinch', x: 190, y: 300, scale: 2 }],
    logs: '2,1',
  },
  {
    says: 'a drag moves an element that handles pointer events',
    script: `pad.style.touchAction = 'none'; let from; pad.addEventListener('pointerdown', (event) => { from = event.clientX; pad.setPointerCapture(event.pointerId) }); pad.addEventListener('pointerup', (event) => log(String(Math.round(event.clientX - from))))`,
    does: [{ kind: 'drag', from: { x: 50, y: 50 }, to: { x: 170, y: 50 } }],
    logs: '120',
  },
  {
    says: 'a touch has the coordinates, target and touch lists of a phone',
    script: `addEventListener('touchstart', ({ touches, targetTouches, changedTouches }) => { const [touch] = changedTouches; log([touches.length, targetTouches.length, touch.target.id, Math.round(touch.clientX), Math.round(touch.clientY)].join()) }); addEventListener('touchend', ({ touches, changedTouches }) => log([touches.length, changedTouches.length].join()))`,
    does: [{ kind: 'tap', x: 60, y: 40 }],
    logs: '1,1,pad,60,40 0,1',
  },
  {
    says: 'a tap moves the focus at mousedown, and counts as a user activation',
    script: `field.addEventListener('focus', () => log('focus')); field.addEventListener('mousedown', () => log('mousedown')); field.addEventListener('click', () => log(String(navigator.userActivation?.isActive ?? true)))`,
    does: [{ kind: 'tap', selector: '#field' }],
    logs: 'mousedown focus true',
  },
];

const page = `<!doctype html><meta name=viewport content="width=device-width, initial-scale=1">
<style>body { margin: 0; height: 3000px } #pad { width: 300px; height: 100px; background: silver } #carousel { position: absolute; top: 200px;
  width: 390px; height: 120px; overflow-x: scroll; white-space: nowrap } #carousel b { display: inline-block; width: 300px; height: 100px }</style>
<div id=pad></div><input id=field><div id=carousel><b>1</b><b>2</b><b>3</b></div><output id=log style="position: absolute; top: 350px"></output>
<script>
  const output = document.getElementById('log');
  const log = (word) => output.append(word + ' ');
  const when = (condition, then) => (condition() ? then() : setTimeout(when, 20, condition, then));
  const listen = (types) => types.split(' ').forEach((type) => addEventListener(type, () => log(type)));
  eval(decodeURIComponent(location.search.slice(1)));
</script>`;

describe('a finger', () => {
  const suite = withBrowser(() => servePages({ '/': page }));
  const { go, act, read } = handsOf(suite);

  for (const { says, script = '', does, logs } of cases) {
    it(says, async () => {
      await go(`?${encodeURIComponent(script)}`);
      for (const action of does) await act(action);
      const last = logs.split(' ').at(-1) ?? '';
      await run(suite.browser, 'wait', { condition: { kind: 'text', selector: '#log', text: last } });
      expect(await read('#log')).to.equal(logs);
    });
  }
});

const widths: readonly (readonly [tag: string, width: number])[] = [
  ['', 980],
  ['<meta name=viewport content="width=device-width">', 393],
  ['<meta name=viewport content="initial-scale=1">', 393],
  ['<meta name=viewport content="width=600">', 600],
  ['<meta name=viewport content="width=device-width, user-scalable=no">', 393],
  ['<meta name=VIEWPORT content="Width=Device-Width">', 393],
  ['<meta name=viewport content="initial-scale=0.5">', 786],
  ['<meta name=viewport content="width=50">', 200],
];

describe('a page’s width', () => {
  const at = widths.map(([tag], index): [string, string] => [
    `/${index}`,
    `<!doctype html>${tag}<body style="margin: 0"><output></output><button style="position: absolute; right: 0; top: 0">x</button>
     <script>document.querySelector('button').onclick = () => document.querySelector('output').append(innerWidth)</script>`,
  ]);
  const suite = withBrowser(() => servePages(Object.fromEntries(at)));
  const { go, act, read } = handsOf(suite);

  for (const [index, [tag, width]] of widths.entries()) {
    it(`is ${width} ${tag ? `with ${tag}` : 'without a viewport tag'}, and a finger finds its right edge`, async () => {
      await go(`/${index}`);
      await act({ kind: 'tap', selector: 'button' });
      expect(await read('output')).to.equal(String(width));
    });
  }
});
