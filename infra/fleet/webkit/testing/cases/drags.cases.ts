import { closable, type Case } from './case.ts';

const drag = (from: string, to: string) =>
  ({ kind: 'drag', from: { selector: from }, to: { selector: to } }) as const;
const dragPage = `<div id="s" draggable="true" style="width:80px;height:80px;background:#cfc">Source</div><div id="t" style="width:80px;height:80px;margin-top:60px;background:#ccf">Target</div>
  <script>$('#s').addEventListener('dragstart', (e) => { e.dataTransfer.setData('text/plain', 'carried'); log('dragstart') });
  $('#t').addEventListener('dragenter', () => log('dragenter')); $('#t').addEventListener('dragover', (e) => { e.preventDefault(); if (lines.at(-1) !== 'dragover') log('dragover') });
  $('#t').addEventListener('drop', (e) => { e.preventDefault(); log('drop:' + e.dataTransfer.getData('text/plain')) }); $('#s').addEventListener('dragend', () => log('dragend'))</script>`;

const pad = '<div id="b" style="width:100px;height:100px;touch-action:none"></div>';
const other = '<div id="o" style="width:100px;height:100px;margin-top:50px"></div>';
/** Logs type and buttons of each kind of pointer event on `#b` once. */
const pointers = `<script>for (const type of ['down', 'move', 'up', 'out'].map((name) => 'pointer' + name).concat('gotpointercapture', 'lostpointercapture')) b.addEventListener(type, (e) => { const word = type.replace('pointer', '').replace('capture', '') + e.buttons; if (lines.at(-1) !== word) log(word) })</script>`;
const across = { kind: 'drag', from: { x: 50, y: 50 }, to: { x: 50, y: 220 } } as const;

/** Drags from one place to another, by HTML drag and drop or by a finger. */
export const drags: readonly Case[] = [
  {
    says: 'drags by HTML drag and drop',
    page: dragPage,
    does: drag('#s', '#t'),
    expect: 'dragstart dragenter dragover drop:carried dragend',
  },
  {
    says: 'drops nothing on an element that does not accept it',
    page: dragPage.replace('e.preventDefault(); if', 'if'),
    does: drag('#s', '#t'),
    expect: 'dragstart dragenter dragover dragend',
  },
  {
    says: 'does not drag if the page prevents `dragstart`',
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
    says: 'a drop that closes its frame may have had its effect, and its session goes on',
    ...closable(dragPage.replace(/log\('drop:.*?\)\)/, "parent.closes('drop')")),
    does: {
      kind: 'drag',
      from: { selector: '#s', frame: '#f' },
      to: { selector: '#t', frame: '#f' },
    },
    fails: ['page', /replaced/, 'condition_not_met'],
    limit: 4_000,
    expect: 'drop',
  },
  {
    says: 'sends touch moves, and no mouse events, to a page that handles touches',
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
    says: 'a drag goes from an element out of view to one beside it',
    page: `<div style="height:1500px"></div><div id="s" style="width:80px;height:80px;background:#cfc;touch-action:none">S</div><div id="t" style="width:80px;height:80px;margin-top:100px;background:#ccf">T</div><div style="height:900px"></div><script>$('#s').addEventListener('pointerdown', () => log('down')); addEventListener('pointerup', (e) => log(document.elementFromPoint(e.clientX, e.clientY).id))</script>`,
    does: { kind: 'drag', from: { selector: '#s' }, to: { selector: '#t' } },
    expect: 'down t',
  },
  {
    says: 'a drag begins at its element, even if the target must be scrolled into view',
    page: `<div style="height:500px"></div><div id="s" draggable="true" style="width:80px;height:80px;background:#cfc">S</div><div style="height:380px"></div><div id="t" style="width:80px;height:80px;background:#ccf">T</div><div style="height:900px"></div><script>$('#s').addEventListener('dragstart', () => log('start')); $('#t').addEventListener('dragover', (e) => e.preventDefault()); $('#t').addEventListener('drop', () => log('drop'))</script>`,
    does: { kind: 'drag', from: { selector: '#s' }, to: { selector: '#t' } },
    expect: 'start drop',
  },
  {
    says: 'a drag of a covered element fails and moves nothing',
    page: `<div id="s" style="width:80px;height:80px;touch-action:none">S</div><div id="t" style="width:80px;height:80px;margin-top:100px">T</div><div class="veil" style="position:absolute;inset:0" onpointerdown="log('wrong')"></div>`,
    does: { kind: 'drag', from: { selector: '#s' }, to: { selector: '#t' } },
    fails: ['timeout', /covered by div.veil/],
    expect: '',
  },
  {
    says: 'a captured pointer keeps its element and its button, and sends the capture events',
    page: `${pad}${other}${pointers}<script>b.addEventListener('pointerdown', (e) => b.setPointerCapture(e.pointerId)); for (const type of ['pointerover', 'pointermove', 'pointerup']) o.addEventListener(type, () => log('wrong'))</script>`,
    does: across,
    expect: 'down1 got1 move1 up0 lost0 out0',
  },
  {
    says: 'a finger is captured by the element that it touches first, as on a phone',
    page: `${pad}${other}${pointers}<script>b.addEventListener('pointerdown', (e) => log(String(b.hasPointerCapture(e.pointerId))))</script>`,
    does: across,
    expect: 'down1 true got1 move1 up0 lost0 out0',
  },
  {
    says: 'another element may capture the pointer during the drag',
    page: `${pad}${other}${pointers}<script>let taken = false; b.addEventListener('pointermove', (e) => { if (!taken) o.setPointerCapture(e.pointerId); taken = true }); for (const type of ['gotpointercapture', 'pointermove', 'pointerup', 'lostpointercapture']) o.addEventListener(type, (e) => { const word = 'o' + type.replace('pointer', '').replace('capture', '') + e.buttons; if (lines.at(-1) !== word) log(word) })</script>`,
    does: across,
    expect: 'down1 got1 move1 lost1 ogot1 out1 omove1 oup0 olost0',
  },
  {
    says: 'a released pointer is over the element under the finger',
    page: `${pad}${other}<script>b.addEventListener('pointerdown', (e) => b.releasePointerCapture(e.pointerId)); addEventListener('pointermove', (e) => { const word = (e.target.id || 'page') + e.buttons; if (lines.at(-1) !== word) log(word) }); b.addEventListener('pointerout', (e) => log('out' + e.buttons)); o.addEventListener('pointerover', (e) => log('over' + e.buttons)); addEventListener('pointerup', (e) => log('up' + e.target.id))</script>`,
    does: across,
    expect: 'b1 out1 page1 over1 o1 upo',
  },
  {
    says: 'a pointer move has its coalesced events, which pages use to draw lines',
    page: `${pad}<script>let all = true; b.addEventListener('pointermove', (e) => { const each = e.getCoalescedEvents(); all &&= each.length > 0 && each.at(-1).clientY === e.clientY && each.at(-1).buttons === 1 }); b.addEventListener('pointerup', () => log(String(all)))</script>`,
    does: across,
    expect: 'true',
  },
];
