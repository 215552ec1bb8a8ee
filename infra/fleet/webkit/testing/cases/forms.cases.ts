import { strictly } from './observing.ts';
import type { Case } from './site-case.ts';

/** Names of fields, including common ones of real pages. */
const hiding = [
  ...['id', 'title', 'name', 'role', 'style', 'children', 'getAttribute', 'hasAttribute', 'parentElement'],
  ...['nodeName', 'nodeType', 'tagName', 'localName', 'ownerDocument', 'closest', 'contains', 'textContent'],
  ...['isContentEditable', 'matches', 'shadowRoot'],
];
/** Names of forms that hide a property of the document. */
const hidingOfDocument = [
  ...['activeElement', 'baseURI', 'body', 'childNodes', 'defaultView', 'doctype', 'documentElement', 'head'],
  ...['implementation', 'querySelector', 'querySelectorAll', 'readyState', 'scrollingElement', 'title'],
];
const last = '<title>Last</title><p>Last</p>';

/** File inputs and dialogs in forms. */
export const forms: readonly Case[] = [
  {
    says: 'a file that answers a form is stored',
    pages: {
      '/': '<title>Home</title><form action="/file" method="post"><button id="get">Get</button></form>',
      '/file': (_request, reply) =>
        void reply
          .writeHead(200, {
            'content-type': 'text/csv',
            'content-disposition': 'attachment; filename="sent.csv"',
          })
          .end('a'),
    },
    does: async (on) => [(await on.tap('#get')).downloads?.map(({ name }) => name), await on.title()],
    gives: [['sent.csv'], 'Home'],
  },
  {
    says: 'a file that a script navigates to is stored',
    pages: {
      '/': `<title>Home</title><button id="get" onclick="location.href = '/file'">Get</button>`,
      '/file': (_request, reply) =>
        void reply.writeHead(200, { 'content-type': 'application/zip' }).end('zip'),
    },
    does: async (on) => [(await on.tap('#get')).downloads?.map(({ state }) => state), await on.title()],
    gives: [['finished'], 'Home'],
  },
  {
    says: 'the file of a data: address is stored',
    pages: { '/': '<a id="get" download="note.txt" href="data:text/plain,hello">Get</a>' },
    does: async (on) => (await on.tap('#get')).downloads?.map(({ name, size }) => [name, size]),
    gives: [['note.txt', 5]],
  },
  {
    says: 'a chosen file is submitted with its form',
    pages: {
      '/': `<form action="/got" method="post" enctype="multipart/form-data"><input id="f" type="file" name="f"><button id="send">Send</button></form>`,
      '/got': (request, reply) => {
        let body = '';
        request.on('data', (part) => (body += String(part)));
        request.on('end', () =>
          reply
            .writeHead(200, { 'content-type': 'text/html' })
            .end(
              `<title>${/filename="a.txt"\r\nContent-Type: text\/plain\r\n\r\none\r\n/.test(body)}</title>`,
            ),
        );
      },
    },
    does: async (on) => {
      await on.act({
        kind: 'upload',
        selector: '#f',
        files: [{ name: 'a.txt', mime: 'text/plain', data_base64: 'b25l' }],
      });
      await on.tap('#send');
      return on.title();
    },
    gives: 'true',
  },
  {
    says: 'choosing the same file again sends the events again',
    pages: {
      '/': `<input id="f" type="file" onchange="seen.textContent += this.files.length"><p id="seen"></p>`,
    },
    does: async (on) => {
      for (let n = 0; n < 2; n += 1)
        await on.act({ kind: 'upload', selector: '#f', files: [{ name: 'a', data_base64: 'YQ==' }] });
      return on.read('#seen');
    },
    gives: '11',
  },
  {
    says: 'a file is chosen once its field is enabled',
    pages: {
      '/': `<input id="f" type="file" disabled><p id="seen"></p><script>f.onchange = () => { seen.textContent = f.files[0].name }; setTimeout(() => { f.disabled = false }, 100)</script>`,
    },
    does: async (on) => {
      await on.act({ kind: 'upload', selector: '#f', files: [{ name: 'a', data_base64: 'YQ==' }] });
      return on.read('#seen');
    },
    gives: 'a',
  },
  {
    says: 'a file is chosen in a frame and in a shadow tree',
    pages: {
      '/': '<iframe id="f" src="/inner"></iframe>',
      '/inner': `<x-u></x-u><p id="seen"></p><script>customElements.define('x-u', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<input type="file">'; this.shadowRoot.addEventListener('change', ({ target }) => { seen.textContent = target.files[0].name }) } })</script>`,
    },
    does: async (on) => {
      await on.act({
        kind: 'upload',
        selector: 'input',
        frame: '#f',
        files: [{ name: 'deep', data_base64: 'YQ==' }],
      });
      await on.wait({ kind: 'text', text: 'deep', frame: '#f' });
      return true;
    },
    gives: true,
  },
  {
    says: 'a dialog at a touch is answered, and the click follows',
    pages: {
      '/': `<button id="b">Go</button><p id="seen"></p><script>b.addEventListener('touchend', () => { seen.textContent += confirm('sure?') }); b.onclick = () => { seen.textContent += 'clicked' }</script>`,
    },
    does: async (on) => {
      const { dialogs } = await on.tap('#b', { dialogs: { accept: true } });
      return [dialogs?.length, await on.read('#seen')];
    },
    gives: [1, 'trueclicked'],
  },
  {
    says: 'a dialog at mousedown is answered, and the click follows',
    pages: {
      '/': `<button id="b">Go</button><p id="seen"></p><script>b.addEventListener('mousedown', () => alert('down')); b.onclick = () => { seen.textContent += 'clicked' }</script>`,
    },
    does: async (on) => {
      await on.tap('#b');
      return on.read('#seen');
    },
    gives: 'clicked',
  },
  {
    says: 'dialogs at the focus and at the blur of a field are answered',
    pages: {
      '/': `<input id="i" onfocus="prompt('name')" onblur="alert('left')"><button id="b" onclick="document.title = i.value">Go</button>`,
    },
    does: async (on) => {
      const typed = await on.act({ kind: 'type', selector: '#i', text: 'abc' });
      const left = await on.tap('#b');
      return [typed.dialogs?.length, left.dialogs?.length, await on.title()];
    },
    gives: [1, 1, 'abc'],
  },
  {
    says: 'a form is not submitted if the dialog about leaving the page is refused',
    pages: {
      '/': `<title>Home</title><form action="/last"><button id="b">Go</button></form><script>addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = '' })</script>`,
      '/last': last,
    },
    does: async (on) => {
      const { dialogs } = await on.tap('#b', { dialogs: { accept: false } });
      return [dialogs?.map(({ type, accepted }) => [type, accepted]), await on.title()];
    },
    gives: [[['beforeunload', false]], 'Home'],
  },
  ...hiding.map((name): Case => ({
    says: `a form with a field called ${name}, which hides the property of that name, works`,
    pages: {
      '/': `<form onsubmit="document.title = w.value + a.checked; return false"><p>Words</p>
        <label>Who <input id="w"></label><label><input type="checkbox" id="a"> Agree</label>
        <textarea name="${name}"></textarea><button>Send</button></form>`,
    },
    does: async (on) => {
      const { elements, text } = await on.observe();
      await on.act({ kind: 'type', label: 'Who', text: 'Ada' });
      await on.act({ kind: 'check', label: 'Agree', checked: true });
      const { met } = await strictly(on, { kind: 'tap', role: 'button', name: 'Send' });
      return [elements.map(({ role }) => role), text.includes('Words'), met?.role, await on.title()];
    },
    gives: [['textbox', 'checkbox', 'textbox', 'button'], true, 'button', 'Adatrue'],
  })),
  ...hidingOfDocument.map((name): Case => ({
    says: `a page with a form called ${name}, which hides the property of that name of its document, works`,
    pages: {
      '/': `<title>Home</title><form name="${name}" action="/send"><button>Send</button></form><p>Words</p>
        <input id="w" type="password" value="w"><a href="/next?value">Next</a><p style="margin-top:2000px">End</p>`,
      '/send': '<title>Sent</title>',
    },
    does: async (on) => {
      await on.act({ kind: 'type', selector: '#w', text: 'Ada' });
      await on.act({ kind: 'scroll', delta_y: 300 });
      await on.wait({ kind: 'text', text: 'end' });
      await on.wait({ kind: 'url', pattern: '**/' });
      await on.capture('screenshot', { full_page: true });
      const { elements, text, links } = await on.observe();
      const { data } = await on.capture('dom_snapshot');
      return [
        [await on.title(), elements.length, links?.map((link) => link.replace(on.origin, ''))],
        [text, data].map((all) => [all.includes('Words'), all.includes('End')]),
        await on.read('a[href*="value"]'),
        await on.act({ kind: 'tap', text: 'Send' }).then(on.title),
      ];
    },
    gives: [
      ['Home', 3, ['/send', '/next?value']],
      [
        [true, true],
        [true, true],
      ],
      'Next',
      'Sent',
    ],
  })),
  {
    says: 'elements are found by their text on a page with a frame called head',
    pages: {
      '/': `<title>Home</title><iframe name="head"></iframe><button onclick="document.title = 'Tapped'">Go</button>`,
    },
    does: async (on) => {
      await on.act({ kind: 'tap', text: 'Go' });
      return on.title();
    },
    gives: 'Tapped',
  },
];
