import { inFrames, described } from './observing.ts';
import type { Case } from './site-case.ts';

/** The observation of a page's controls. */
const tells = (says: string, page: string, gives: readonly string[]): Case => ({
  says,
  pages: { '/': page },
  does: async (on) => described(await on.observe()),
  gives,
});
const shows = (says: string, page: string, gives: string): Case => ({
  says,
  pages: { '/': page },
  does: async (on) => (await on.observe()).text,
  gives,
});
export const observed: readonly Case[] = [
  {
    says: 'have an address, a title, a scroll position and a height',
    pages: { '/': '<title>Shop</title><div style="height:3000px"></div>' },
    does: async (on) => {
      await on.act({ kind: 'scroll', delta_y: 500 });
      const { url, title, scroll } = await on.observe();
      return [url === `${on.origin}/`, title, scroll.y, scroll.height > 3000, scroll.view > 300];
    },
    gives: [true, 'Shop', 500, true, true],
  },
  tells(
    'tell their controls in reading order, by role and accessible name',
    `<a href="/x">Home</a><label>Name <input></label><button aria-label="Close"><i>x</i></button>
     <div role="tab" tabindex="0">First</div><p contenteditable>Note</p><textarea placeholder="Remarks"></textarea>
     <div tabindex="0">Custom</div><div onclick="1">Old</div><div style="cursor:pointer">New <b>one</b></div><summary>More</summary>
     <p>Only text</p><span tabindex="-1">Not by keys</span>`,
    [
      ...['link Home', 'textbox Name =', 'button Close', 'tab First', 'textbox  =Note', 'textbox Remarks ='],
      ...['generic Custom', 'generic Old', 'generic New one', 'generic More'],
    ],
  ),
  {
    says: 'list controls in view first, then the others, each in reading order',
    pages: {
      '/': `<a href="/a">A</a><div style="height:2000px"></div><a href="/b">B</a>
        <a href="/c" style="position:fixed;top:0;right:0">C</a>`,
    },
    does: async (on) => (await on.observe()).elements.map(({ name, in_view }) => `${name} ${in_view}`),
    gives: ['A true', 'C true', 'B false'],
  },
  tells(
    'tell nothing of what nobody sees',
    `<button style="display:none">A</button><button style="visibility:hidden">B</button><input type="hidden">
     <div style="height:0;overflow:hidden"><button>C</button></div><details><summary>D</summary><button>E</button></details>
     <button hidden>F</button>`,
    ['generic D'],
  ),
  tells(
    'tell of controls in shadow trees and in slots',
    `<div id="host"><button slot="s">Slotted</button></div><script>host.attachShadow({ mode: 'open' }).innerHTML =
     '<button>Before</button><slot name="s"></slot><button>After</button>'</script>`,
    ['button Before', 'button Slotted', 'button After'],
  ),
  {
    says: 'list controls in frames, of other origins too, at the place of the frame',
    pages: { ...inFrames, '/': `${inFrames['/']}<button>Last</button>` },
    does: async (on) => described(await on.observe()),
    gives: ['button Outer', 'button Deep', 'textbox Word =', 'checkbox Agree', 'button Last'],
  },
  {
    says: 'report a control in a frame as in view only if the page shows it',
    pages: {
      '/': '<div style="height:2000px"></div><iframe src="/in"></iframe>',
      '/in': '<button>Below</button>',
    },
    does: async (on) => (await on.observe()).elements.map(({ name, in_view }) => `${name} ${in_view}`),
    gives: ['Below false'],
  },
  tells(
    'tell of a box that pages draw themselves by its label',
    '<label><input type="checkbox" style="display:none" checked> I agree</label>',
    ['checkbox I agree checked'],
  ),
  tells(
    'tell what fields hold, and of lists what they offer',
    `<input aria-label="a" value="Ada"><select aria-label="b"><option>S<option selected>L</select>
     <input aria-label="c" type="range" value="7" max="9"><div role="slider" tabindex="0" aria-label="d" aria-valuenow="4">|</div>`,
    ['textbox a =Ada', 'combobox b =L S L', 'slider c =7', 'slider d =4'],
  ),
  tells(
    'keep what passwords, codes and cards are',
    `<input aria-label="a" type="password" value="hush"><input aria-label="b" autocomplete="one-time-code" value="123456">
     <input aria-label="c" autocomplete="section-x billing cc-number" value="4111"><input aria-label="d" type="password">
     <input aria-label="e" style="-webkit-text-security:disc" value="masked">`,
    ['textbox a filled', 'textbox b filled', 'textbox c filled', 'textbox d', 'textbox e filled'],
  ),
  {
    says: 'hide text that was typed as sensitive, whatever the field is',
    pages: { '/': '<input aria-label="Word"><p contenteditable aria-label="Note"></p>' },
    does: async (on) => {
      for (const label of ['Word', 'Note'])
        await on.act({ kind: 'type', label, text: 'canary', sensitive: true });
      const page = await on.observe();
      return [described(page), JSON.stringify(page).includes('canary')];
    },
    gives: [['textbox Word filled', 'textbox Note focused filled'], false],
  },
  tells(
    'tell how their controls are',
    `<button disabled>a</button><input aria-label="b" required><div role="option" tabindex="0" aria-selected="true">c</div>
     <button aria-expanded="true">d</button><input aria-label="e" readonly><input type="radio" aria-label="f" checked>
     <input aria-label="g" autofocus><div style="position:relative"><button>h</button>
     <p style="position:absolute;inset:0;background:red;margin:0"></p></div>`,
    [
      ...['button a disabled', 'textbox b = required', 'option c selected', 'button d expanded'],
      ...['textbox e = readonly', 'radio f checked', 'textbox g = focused', 'button h covered'],
    ],
  ),
  {
    says: 'have their headings, and the text of an open dialog',
    pages: {
      '/': `<h1>One <b>more</b></h1><p>x</p><span role="heading">Two</span><h2 hidden>No</h2>
        <dialog open><h3>Sure?</h3><p>All of it goes.</p></dialog>`,
    },
    does: async (on) => {
      const { headings, dialog } = await on.observe();
      return [headings, dialog];
    },
    gives: [['One more', 'Two', 'Sure?'], 'Sure?\nAll of it goes.'],
  },
  shows(
    'show their text in lines, as it is read',
    `<p>One <b>two</b>\n three</p><table><tr><td>Apple</td><td>3</td></tr><tr><td>Pear</td><td>5</td></tr></table>
     <pre>a\n b</pre>c<br>d<script>1</script><style>p{}</style><p style="display:none">hidden</p>`,
    'One two three\nApple 3\nPear 5\na\nb\nc\nd',
  ),
  {
    says: 'have the part of a long text in view first, and report that it was cut',
    pages: { '/': `${`<p>${'word '.repeat(500)}</p>`.repeat(10)}<p id="end">The end</p>` },
    does: async (on) => {
      await on.act({ kind: 'scroll', selector: '#end' });
      const { text, cut } = await on.observe();
      return [text.length, text.includes('The end'), cut];
    },
    gives: [12_000, true, true],
  },
  {
    says: 'are described once they have loaded or, if that takes long, as far as they have loaded',
    pages: {
      '/': '<a id="slow" href="/slow">Slow</a><a id="never" href="/never">Never</a>',
      '/slow': (_request, reply) => {
        reply
          .writeHead(200, { 'content-type': 'text/html' })
          .write(`<!doctype html><p>First</p>${' '.repeat(4096)}`);
        setTimeout(() => reply.end('<p>Last</p>'), 700);
      },
      '/never': (_request, reply) => {
        reply
          .writeHead(200, { 'content-type': 'text/html' })
          .write(`<!doctype html><p>First</p>${' '.repeat(4096)}`);
      },
    },
    does: async (on) => {
      const seen: string[] = [];
      for (const link of ['#slow', '#never']) {
        await on.go('/');
        await on.tap(link);
        seen.push((await on.observe()).text);
      }
      return seen;
    },
    gives: ['First\nLast', 'First'],
  },
  {
    says: 'are described as well-formed text, whatever their content is',
    pages: {
      '/': `<button>a${'\u{1f600}'.repeat(200)}</button><script>document.title = 'a\\ud800';</script>`,
    },
    does: async (on) => {
      const page = await on.observe();
      return [page.title, page.elements[0]?.name];
    },
    gives: ['a\ufffd', `a${'\u{1f600}'.repeat(149)}\ufffd`],
  },
  {
    says: 'with ten thousand elements are described within a second, by the first three hundred',
    pages: {
      '/': Array.from({ length: 5_000 }, (_, row) => `<div><a href="/${row}">Buy ${row}</a></div>`).join(''),
    },
    does: async (on) => {
      const { elements, cut } = await on.observe();
      return [elements.length, elements[299]?.name, cut];
    },
    gives: [300, 'Buy 299', true],
  },
];
