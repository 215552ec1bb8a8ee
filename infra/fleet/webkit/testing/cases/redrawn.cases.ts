import { button, on, tap, type Case } from './case.ts';

/** A page that draws its only button by `draw()`, and logs the touches and clicks of each. */
const drawn = (redraws: string, button_ = '<button id="b">Go</button>') =>
  `<div id="d"></div><script>let times = 0; const draw = () => { times += 1; $('#d').innerHTML = '${button_}' }; draw();
   for (const type of ['touchstart', 'click']) $('#d').addEventListener(type, ({ target }) => target.closest('#b') && log(type));
   ${redraws}</script>`;

/** Three items of an endless list: a touch removes the one it hits, and the next one moves up. */
const endless = (type: string, name = '') =>
  `<div id="d"></div><script>const left = [1, 2, 3, 4, 5, 6]; const draw = () => { $('#d').innerHTML = left.slice(0, 3).map((n) => '<p><button class="b" data-n="' + n + '">${name}' + ${name ? "''" : 'n'} + '</button></p>').join('') };
   draw(); $('#d').addEventListener('${type}', ({ target }) => { log(target.dataset.n); left.splice(left.indexOf(Number(target.dataset.n)), 1); draw() })</script>`;

const beginning = ['pointerdown', 'touchstart', 'pointerup', 'touchend', 'mouseover', 'mousemove'];

/** Frameworks that redraw elements while a finger is on them. */
export const redrawn: readonly Case[] = [
  ...beginning.map((type): Case => ({
    says: `touches once and clicks once if the element is redrawn at ${type}`,
    page: drawn(`$('#d').addEventListener('${type}', () => { if (times < 2) draw() })`),
    does: tap('#b'),
    expect: 'touchstart click',
  })),
  ...beginning.map((type): Case => ({
    says: `touches once and clicks once if it is redrawn at every ${type}`,
    page: drawn(`$('#d').addEventListener('${type}', draw)`),
    does: { kind: 'tap', text: 'Go' },
    expect: 'touchstart click',
  })),
  {
    says: 'touches once and clicks once if the redrawn element has another state',
    page: drawn(
      `$('#d').addEventListener('touchstart', () => { draw(); $('#b').className = 'pressed'; $('#b').setAttribute('aria-pressed', 'true') })`,
    ),
    does: tap('#b'),
    expect: 'touchstart click',
  },
  {
    says: 'touches once and clicks once if only the content of the element is redrawn',
    page: `<button id="b" ontouchstart="this.innerHTML = '<b>Go</b>'; log('touched')" ${on('clicked')}><b>Go</b></button>`,
    does: { kind: 'tap', selector: '#b b' },
    expect: 'touched clicked',
  },
  {
    says: 'touches once and clicks once if a component is redrawn with its shadow tree',
    page: `<div id="d"></div><script>customElements.define('x-b', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button id="b">Go</button>' } });
      const draw = () => { $('#d').innerHTML = '<x-b></x-b>' }; draw(); for (const type of ['touchstart', 'click']) $('#d').addEventListener(type, () => { log(type); if (type === 'touchstart') draw() })</script>`,
    does: tap('#b'),
    expect: 'touchstart click',
  },
  {
    says: 'taps an element that is redrawn a frame after the touch has removed it',
    page: drawn(
      `$('#d').addEventListener('touchstart', () => { if (times < 2) { $('#d').innerHTML = ''; requestAnimationFrame(draw) } })`,
    ),
    does: tap('#b'),
    tells: "lines.filter((word) => word === 'click').length",
    expect: '1',
  },
  ...['touchstart', 'touchend'].map((type): Case => ({
    says: `taps no second item of an endless list whose first is removed at ${type}`,
    page: endless(type),
    does: tap('.b'),
    expect: '1',
  })),
  {
    says: 'taps no second item of an endless list in which all have the same name',
    page: endless('click', 'Delete'),
    does: { kind: 'tap', text: 'Delete' },
    expect: '1',
  },
  {
    says: 'succeeds if the touch has replaced its element by another one',
    page: `<div id="d"><button class="b" ontouchend="log('next'); $('#d').innerHTML = '<button class=b onclick=log(\\'finished\\')>Finish</button>'">Next</button></div>`,
    does: tap('.b'),
    expect: 'next',
  },
  ...['touchstart', 'touchend'].map((type): Case => ({
    says: `succeeds if ${type} opens something that covers the element`,
    page: `<button id="b">Menu</button><script>b.addEventListener('${type}', () => { log('opened'); document.body.insertAdjacentHTML('beforeend', '<div onclick="log(\\'wrong\\')" style="position:fixed;inset:0;background:white">Menu</div>') })</script>`,
    does: tap('#b'),
    expect: 'opened',
  })),
  {
    says: 'succeeds if mousedown opens something that covers the element',
    page: `<button id="b" onmousedown="log('opened'); document.body.insertAdjacentHTML('beforeend', '<div style=&quot;position:fixed;inset:0;background:white&quot;>Menu</div>')">Menu</button>`,
    does: tap('#b'),
    expect: 'opened',
  },
  {
    says: 'clicks a button that moves when the field before it loses the focus',
    page: `<input id="i" onblur="$('#p').style.height = '120px'"><div id="p"></div><div ${on('around')}>${button}</div>`,
    does: [{ kind: 'focus', selector: '#i' }, tap('#b')],
    tells: "[...new Set(lines)].join(' ')",
    expect: 'clicked around',
  },
  {
    says: 'clicks nothing else if mousedown keeps moving the element',
    page: `<div style="height:400px" onclick="log(event.target.id)" id="around"><button id="b" style="position:absolute;left:20px;top:20px;width:80px;height:40px">Go</button></div><script>let at = 20; b.addEventListener('mousedown', () => { b.style.left = (at = (at + 100) % 300) + 'px' })</script>`,
    does: tap('#b'),
    limit: 700,
    fails: ['timeout', /moved/],
    expect: '',
  },
  ...['touchstart', 'touchend', 'mousedown', 'click'].map((type): Case => ({
    says: `clicks once if the page is slow to handle ${type}`,
    page: `${button}<script>b.addEventListener('${type}', () => { const end = performance.now() + 250; while (performance.now() < end); })</script>`,
    does: tap('#b'),
    expect: 'clicked',
  })),
  {
    says: 'clicks nothing if the page is slow to prevent a touch',
    page: `${button}<script>b.addEventListener('touchend', (event) => { const end = performance.now() + 250; while (performance.now() < end); event.preventDefault(); log('mine') })</script>`,
    does: tap('#b'),
    expect: 'mine',
  },
  {
    says: 'hits the element with the text if the page keeps moving the text between two',
    page: `<button class="b"></button><button class="b"></button><script>const [a, b] = document.querySelectorAll('.b'); let n = 0; const swap = () => { n += 1; a.textContent = n % 2 ? 'Yes' : 'No'; b.textContent = n % 2 ? 'No' : 'Yes' }; swap(); setInterval(swap, 7);
      addEventListener('touchstart', ({ target }) => log(target.textContent), true)</script>`,
    does: [1, 2, 3, 4].map(() => ({ kind: 'tap', text: 'Yes' }) as const),
    tells: "[...new Set(lines)].join(' ')",
    expect: 'Yes',
  },
  {
    says: 'hits an element that the page moves within the document when it is touched',
    page: `<div id="one"><button id="b">Go</button></div><div id="two" style="height:60px"></div><script>let moved = false; b.addEventListener('touchstart', () => { if (!moved) $('#two').append(b); moved = true }); b.onclick = () => log('clicked')</script>`,
    does: tap('#b'),
    expect: 'clicked',
  },
  ...['click', 'touchend'].map((type): Case => ({
    says: `succeeds if ${type} closes the frame of the element`,
    page: `<iframe id="f" src="{{here}}inner"></iframe><script>addEventListener('message', ({ data }) => data === 'closed' && $('#f').remove())</script>`,
    frames: {
      inner: `<button id="b">Close</button><script>b.addEventListener('${type}', () => parent.postMessage('closed', '*'))</script>`,
    },
    does: [
      { kind: 'tap', selector: '#b', frame: '#f' },
      { kind: 'wait', condition: { kind: 'selector', selector: '#f', state: 'detached' } },
    ],
    limit: 2_000,
    tells: "lines.join(' ') + ($('#f') === null)",
    expect: 'closedtrue',
  })),
];
