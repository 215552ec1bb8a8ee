import { button, clicked, on, tap, wait, type Case } from './case.ts';

/** Positions and scales that pages give their elements. */
export const layouts: readonly Case[] = [
  {
    says: 'reaches an element under a header that covers its scroller',
    page: `<style>*{margin:0}body{position:relative}ol{height:400px;overflow:scroll;padding:160px 0 0}li{height:80px}#h{position:absolute;top:0;width:100%;height:160px;background:red}</style><ol>${Array.from({ length: 14 }, (_, n) => `<li id="l${n}" ${on(`item ${n}`)}>${n}</li>`).join('')}</ol><div id="h" ${on('wrong')}>Header</div><script>$('ol').scrollTop = $('#l8').offsetTop</script>`,
    does: tap('#l8'),
    expect: 'item 8',
  },
  {
    says: 'reaches an element in a scroller that scrolls smoothly',
    page: `<div style="height:300px;overflow:auto;scroll-behavior:smooth"><div style="height:2000px"></div>${button}</div>`,
    ...clicked,
  },
  {
    says: 'reaches an element on a page that scrolls smoothly',
    page: `<style>html{scroll-behavior:smooth}</style><div style="height:3000px"></div>${button}`,
    ...clicked,
  },
  {
    says: 'reaches an element of a list with scroll snapping',
    page: `<div style="height:300px;overflow:auto;scroll-snap-type:y mandatory">${Array.from({ length: 6 }, (_, n) => `<div style="height:300px;scroll-snap-align:start"><button id="b${n}" ${on(`b${n}`)}>${n}</button></div>`).join('')}</div>`,
    does: [tap('#b4'), tap('#b1')],
    expect: 'b4 b1',
  },
  {
    says: 'taps an element in a part with CSS `zoom`',
    page: `<div style="zoom:1.7"><div style="height:80px"></div>${button}<button ${on('wrong')}>Other</button></div>`,
    ...clicked,
  },
  {
    says: 'taps an element of a page with CSS `zoom`',
    page: `<style>html{zoom:1.4}</style><div style="height:500px"></div>${button}<button ${on('wrong')}>Other</button>`,
    ...clicked,
  },
  {
    says: 'taps an element with a 3D transform',
    page: `<div style="perspective:400px"><div style="transform:rotateY(50deg) rotateX(20deg)">${button}</div></div>`,
    ...clicked,
  },
  {
    says: 'taps an element that is mirrored',
    page: `<div style="transform:scaleX(-1)">${button}<button ${on('wrong')}>Other</button></div>`,
    ...clicked,
  },
  {
    says: 'taps a row of a table',
    page: `<table><tr id="b" ${on('clicked')}><td>One</td><td>Two</td></tr></table>`,
    ...clicked,
  },
  {
    says: 'taps an inline element whose first child is out of sight',
    page: `<span id="b" ${on('clicked')}><i style="position:absolute;top:-1000px">woof</i><b>doggo</b></span>`,
    ...clicked,
  },
  {
    says: 'taps a link in a link, which the parser has split',
    page: `<a href="#no"><div><span><a href="#yes"><div><h3 id="b" ${on('clicked')}>Go</h3></div></a></span></div></a>`,
    ...clicked,
  },
  {
    says: 'taps a component with a closed shadow tree',
    page: `<x-c id="b" ${on('clicked')}></x-c><script>customElements.define('x-c', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<button>Go</button>' } })</script>`,
    ...clicked,
  },
  {
    says: 'taps on a page that has deleted built-in classes',
    page: '<button id="b" onclick="log(\'clicked\')">Go</button><script>delete window.Node; delete window.Element; Array.prototype.includes = Array.prototype.find = null</script>',
    does: tap('#b'),
    expect: 'clicked',
  },
  {
    says: 'taps again after the page has replaced itself by `document.open`',
    page: `<button id="a" onclick="late(0, () => { document.open(); document.write('<button id=b onclick=&quot;document.body.append(\\'clicked\\')&quot;>B</button>'); document.close() })">A</button>`,
    does: [tap('#a'), tap('#b'), wait({ kind: 'text', text: 'clicked' })],
    answers: /met/,
  },
  {
    says: 'taps an element without a box of its own, out of sight',
    page: `<div style="height:2000px"></div><div id="b" style="display:contents" ${on('clicked')}><p>Go</p></div>`,
    ...clicked,
  },
  {
    says: 'taps a button without a box of its own, in a scroller',
    page: `<div style="height:100px;overflow:auto"><div style="height:900px"></div><button id="b" style="display:contents" ${on('clicked')}><span>Go</span></button></div>`,
    ...clicked,
  },
  {
    says: 'taps an element without a box of its own that has only text',
    page: `<p>Before <span id="b" style="display:contents" ${on('clicked')}>Go</span></p>`,
    ...clicked,
  },
  {
    says: 'taps an element without a box of its own once it is still',
    page: `<style>@keyframes in { from { transform: translateX(-300px) } to { transform: translateX(160px) } } p { width: 80px; animation: in .3s forwards }</style><div id="b" style="display:contents" onclick="log(String(event.clientX > 150))"><p>Go</p></div>`,
    does: tap('#b'),
    expect: 'true',
  },
  {
    says: 'taps each button of a row that scrolls sideways under its first cell',
    page: `<div style="display:flex;overflow-x:auto;width:300px"><div style="flex:none;width:120px;position:sticky;left:0;background:#eee;z-index:1" ${on('wrong')}>Fix</div>${[1, 2, 3, 4, 5, 6].map((n) => `<button id="b${n}" style="flex:none;width:100px" ${on(`b${n}`)}>${n}</button>`).join('')}</div>`,
    does: [tap('#b6'), tap('#b1'), tap('#b3')],
    expect: 'b6 b1 b3',
  },
  {
    says: 'taps an element that scrolls sideways under an overlay',
    page: `<div style="position:relative;width:300px"><div style="display:flex;overflow-x:auto"><div style="flex:none;width:250px">a</div><button id="b" style="flex:none;width:100px" ${on('clicked')}>B</button><div style="flex:none;width:400px">a</div></div><div style="position:absolute;right:0;top:0;width:100px;height:40px" ${on('wrong')}>N</div></div>`,
    ...clicked,
  },
  {
    says: 'taps an element at the edge of a page that scrolls',
    page: `<div style="height:3000px"></div><button id="b" style="position:fixed;right:0;top:100px;width:15px;height:40px;padding:0" ${on('clicked')}>Go</button>`,
    ...clicked,
  },
  {
    says: 'shows no scrollbars, even if a page styles them',
    page: `<style>#d::-webkit-scrollbar { width: 30px; height: 30px }</style><div id="d" style="overflow:scroll;width:100px;height:100px"><p style="width:300px;height:300px"></p></div>${button}`,
    does: tap('#b'),
    tells: "[$('#d').offsetWidth - $('#d').clientWidth, $('#d').offsetHeight - $('#d').clientHeight].join()",
    expect: '0,0',
  },
];
