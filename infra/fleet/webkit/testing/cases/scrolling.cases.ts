import type { Case } from './case.ts';

const wide = '<div style="height:3000px;width:100%">Tall</div>';
const carousel = `<div id="c" style="width:300px;overflow-x:auto;white-space:nowrap"><div style="width:2000px;height:200px">Wide</div></div>${wide}`;
const swipe = (x1: number, y1: number, x2: number, y2: number) =>
  ({ kind: 'swipe', x1, y1, x2, y2, duration_ms: 300 }) as const;

/** Swipes, and scrolling without a finger. */
export const scrolling: readonly Case[] = [
  {
    says: 'swipes the page by the distance of the finger',
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
    says: 'clicks nothing at the start or the end of a swipe',
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
    says: 'scrolls nothing if touch-action is none',
    page: `<div style="touch-action:none">${wide}</div>`,
    does: swipe(100, 500, 100, 200),
    tells: 'scrollY',
    expect: '0',
  },
  {
    says: 'sends all moves of a swipe to a page that prevents it',
    page: `<div style="height:600px" id="d"></div><script>let n = 0; addEventListener('touchmove', (e) => { n++; e.preventDefault() }, { passive: false }); addEventListener('touchend', () => log('end'))</script>`,
    does: swipe(100, 500, 100, 200),
    tells: 'lines + (n > 2)',
    expect: 'endtrue',
  },
  {
    says: 'swipes a scroller in a page that does not scroll',
    page: `<style>html,body{overflow:hidden;height:100%}</style><div id="s" style="height:400px;overflow-y:scroll">${wide}</div>`,
    does: swipe(100, 300, 100, 100),
    tells: "Math.abs($('#s').scrollTop - 200) < 70",
    expect: 'true',
  },
  {
    says: 'scrolls nothing in a page with hidden overflow',
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
    says: 'scrolls what a finger would, in a page that does not scroll itself',
    page: `<style>html,body{overflow:hidden;height:100%;margin:0}</style><main id="s" style="height:100%;overflow-y:auto">${wide}</main>`,
    does: { kind: 'scroll', delta_y: 150 },
    tells: "$('#s').scrollTop",
    expect: '150',
  },
];
