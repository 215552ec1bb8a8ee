import { button, clicked, tap, type Case } from './case.ts';

const trap = `<style>#b,#x{position:absolute;width:100px;height:40px}</style>`;

export const moving: readonly Case[] = [
  {
    says: 'hits an element that jumps away when it is touched',
    page: `${trap}<button id="b" onclick="log('clicked')">Go</button><script>let jumps = 0; addEventListener('mousemove', () => { if (jumps++ < 2) b.style.top = jumps * 150 + 'px' })</script>`,
    ...clicked,
  },
  {
    says: 'does not click an element that appears in its former place',
    page: `${trap}<button id="b" onclick="log('clicked')">Go</button><script>let once = true; addEventListener('mousemove', () => { if (!once) return; once = false; b.style.top = '300px'; document.body.insertAdjacentHTML('beforeend', '<button id="x" onclick="log(\\'wrong\\')">X</button>') })</script>`,
    ...clicked,
  },
  {
    says: 'taps again if something covers the element at the touch',
    page: `${trap}<button id="b" onclick="log('clicked')">Go</button><script>let once = true; addEventListener('mousemove', () => { if (!once) return; once = false; document.body.insertAdjacentHTML('beforeend', '<div id="x" onclick="log(\\'wrong\\')" style="background:red">X</div>'); late(100, () => $('#x').remove()) })</script>`,
    ...clicked,
  },
  {
    says: 'taps an element that is disabled for a moment at the touch',
    page: `<button id="b" onclick="log('clicked')">Go</button><script>let once = true; addEventListener('mousemove', () => { if (!once) return; once = false; b.disabled = true; late(100, () => { b.disabled = false }) })</script>`,
    ...clicked,
  },
  {
    says: 'does not tap twice if the touch removes the element',
    page: `<div id="d"><button class="b">1</button><button class="b">2</button></div><script>for (const b of document.querySelectorAll('.b')) b.addEventListener('touchend', () => { log(b.textContent); b.remove() })</script>`,
    does: tap('.b'),
    expect: '1',
  },
  {
    says: 'does not tap the next item of a list that is redrawn without the touched one',
    page: `<div id="d"></div><script>const left = [1, 2, 3]; const draw = () => { $('#d').innerHTML = left.map((n) => '<button class="b">' + n + '</button>').join(''); }; draw(); $('#d').addEventListener('touchend', (e) => { log(e.target.textContent); left.shift(); draw(); })</script>`,
    does: tap('.b'),
    expect: '1',
  },
  {
    says: 'succeeds if the press removes the element',
    page: `<button id="b" onmousedown="log('down');this.remove()">Go</button>`,
    does: tap('#b'),
    expect: 'down',
  },
  {
    says: 'gives up on an element that always moves away, and clicks nothing',
    page: `${trap}<button id="b" onclick="log('clicked')">Go</button><div onclick="log('wrong')" style="height:600px"></div><script>let n = 0; addEventListener('mousemove', () => { b.style.top = (n = (n + 100) % 500) + 'px' })</script>`,
    does: tap('#b'),
    fails: ['timeout', /./],
    limit: 500,
    expect: '',
  },
  {
    says: 'taps an element that appears late and slides in',
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
