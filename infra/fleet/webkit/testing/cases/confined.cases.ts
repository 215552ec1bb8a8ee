import { elsewhere } from '../../../../../contracts/fleet/operations.ts';
import type { Login } from '../../../../../contracts/resources/session-login.ts';
import type { Action } from '../../../../../contracts/resources/session.ts';
import type { Case, Hands } from './site-case.ts';

const here = ['=127.0.0.1'];
const there = ['=127.0.0.2', 'other.example'];
const refused = `page invalid_request: ${elsewhere}`;
const field = '<label>Word <input id="i" oninput="document.title = value"></label>';
const type = (text: string, more: object = {}): Action => ({ kind: 'type', label: 'Word', text, ...more });
const file = [{ name: 'a.txt', data_base64: 'YQ==' }];

/** Result of each action under a restriction to some sites; `done` if it is allowed. */
const outcomes = async (on: Hands, only_on: string[], ...actions: Action[]) => {
  const ends: string[] = [];
  for (const action of actions)
    ends.push(
      await on.act(action, { only_on, strict: true }).then(
        () => 'done',
        (error: unknown) => on.failure(Promise.reject(error as Error)),
      ),
    );
  return ends;
};

const fields = { username: 'ada', password: 'right' };
/** A sign-in form whose page shows in its title what was typed, and that a sign-in leads to `/in`. */
const signIn =
  '<form action="/in"><input name="user" autofocus oninput="said()"><input name="pass" type="password" oninput="said()"><button>Go</button></form>' +
  "<script>const said = () => { document.title = `${document.querySelector('[name=user]').value}|${document.querySelector('[name=pass]').value}`; }; said()</script>";
/** The origin of the other host, as a page says it. */
const otherOrigin = "location.origin.replace('.1:', '.2:')";
const site = 'http://127.0.0.1';

/** End of a sign-in that is restricted to a site, and the title of the page that is there then. */
const signedIn = async (on: Hands, input: Omit<Login, 'fields'>, given: Login['fields'] = fields) => {
  const end = await on.login({ ...input, fields: given }).then(
    ({ status }) => status,
    (error: unknown) => on.failure(Promise.reject(error as Error)),
  );
  return [end, await on.title()];
};

/** Actions that are restricted to some sites. */
export const confined: readonly Case[] = [
  {
    says: 'enter nothing into a page of another site, and everything into one of their sites',
    pages: {
      '/': `${field}<label>Day <input type="date"></label><label>Size <select><option>S<option>M</select></label><label>File <input type="file"></label>`,
    },
    does: async (on) => {
      const actions: Action[] = [
        type('secret'),
        { kind: 'type', label: 'Day', text: '2026-01-01' },
        { kind: 'select', label: 'Size', values: ['M'] },
        { kind: 'upload', label: 'File', files: file },
        { kind: 'press', selector: '#i', key: 'x' },
      ];
      const away = await outcomes(on, there, ...actions);
      const values = async () => (await on.observe()).elements.map(({ value }) => value);
      const before = await values();
      return [away, before, await outcomes(on, here, ...actions), await values()];
    },
    gives: [
      Array(5).fill(refused),
      ['', '', 'S', ''],
      Array(5).fill('done'),
      ['secretx', '2026-01-01', 'M', 'a.txt'],
    ],
  },
  {
    says: 'enter nothing into a form that is sent to another site, whatever its fields are called',
    pages: {
      '/': `<form name="f">${field}<input name="action" type="hidden"><input name="elements" type="hidden"><button>Send</button></form>
        <script>document.forms.f.setAttribute('action', location.origin.replace('.1:', '.2:') + '/x');</script>`,
    },
    does: (on) => outcomes(on, here, type('secret')),
    gives: [refused],
  },
  {
    says: 'enter nothing into a form that is sent to another site and hides the address of its document',
    pages: {
      '/': `<form name="baseURI" action="http://127.0.0.2/x">${field}<input type="password"><button>Go</button></form>`,
    },
    does: async (on) => [
      await outcomes(on, here, type('secret')),
      await signedIn(on, { site }, { password: 'secret' }),
    ],
    gives: [[refused], [refused, '']],
  },
  {
    says: 'enter nothing into a form with a button that sends it to another site',
    pages: {
      '/': `<form>${field}<button formaction="http://127.0.0.2/x">Send</button></form>`,
    },
    does: async (on) => [
      await outcomes(on, here, type('secret')),
      await outcomes(on, [...here, ...there], type('y')),
    ],
    gives: [[refused], ['done']],
  },
  {
    says: 'may use a frame of their site, but not the page around it',
    pages: {
      '/': `<label>Word <input></label><script>document.write('<iframe style="width:250px;height:200px" src="' +
        location.origin.replace('127.0.0.1', '127.0.0.2') + '/deep"></iframe>')</script>`,
      '/deep': '<label>Inner <input></label>',
    },
    does: async (on) => {
      const inner: Action = { kind: 'type', ref: await on.refOf('Inner'), text: 'a' };
      const outer: Action = { kind: 'type', label: 'Word', text: 'b' };
      const ends = [await outcomes(on, there, inner, outer), await outcomes(on, here, outer)];
      return [...ends, await outcomes(on, here, { ...inner, ref: await on.refOf('Inner') })];
    },
    gives: [['done', refused], ['done'], [refused]],
  },
  {
    says: 'stop typing after a key has moved the focus to another site',
    pages: {
      '/': `<label>Word <input id="w"></label><script>document.write('<iframe style="width:250px;height:200px" src="' +
        location.origin.replace('127.0.0.1', '127.0.0.2') + '/deep"></iframe>')</script>`,
      '/deep': '<label>Inner <input></label>',
    },
    does: async (on) => {
      const ends = await outcomes(on, here, type('a\tsecret'));
      const { elements } = await on.observe();
      return [ends, elements.map(({ value }) => value)];
    },
    gives: [[refused], ['a', '']],
  },
  {
    says: 'sign in on a page of the site, over http only if the site has http:// in front',
    pages: { '/': signIn, '/in': '<title>in</title>' },
    does: async (on) => [
      await signedIn(on, { site: '127.0.0.2' }),
      await signedIn(on, { site: '127.0.0.1' }),
      await signedIn(on, { site: 'https://127.0.0.1' }),
      await signedIn(on, { site }),
    ],
    gives: [...Array.from({ length: 3 }, () => [refused, '|']), ['authenticated', 'in']],
  },
  {
    says: 'give nothing to the page of another site that the address of a sign-in leads to',
    pages: {
      '/': '',
      '/moved': ({ headers }, reply) => {
        reply
          .writeHead(302, { location: `http://${String(headers.host).replace('.1:', '.2:')}/login` })
          .end();
      },
      '/login': signIn,
    },
    does: (on) => signedIn(on, { site, url: `${on.origin}/moved` }),
    gives: [refused, '|'],
  },
  {
    says: 'give nothing to a page of another site that comes while a sign-in waits for its form',
    pages: {
      '/': `<script>setTimeout(() => { location = ${otherOrigin} + '/login' }, 300)</script>`,
      '/login': signIn,
    },
    does: (on) => signedIn(on, { site }),
    gives: [refused, '|'],
  },
  {
    says: 'give nothing to a page of another site that comes between the fields of a sign-in',
    pages: {
      '/': `<form onsubmit="event.preventDefault(); location = ${otherOrigin} + '/login'"><input name="user"></form>`,
      '/login': signIn,
    },
    does: (on) => signedIn(on, { site }),
    gives: [refused, '|'],
  },
  ...[
    {
      what: 'a sign-in',
      atMost: 1,
      types: (on: Hands) => signedIn(on, { site }, { username: 'x'.repeat(900) }),
    },
    {
      what: 'a text',
      atMost: 16,
      types: (on: Hands) => outcomes(on, here, { kind: 'type', selector: 'input', text: 'x'.repeat(900) }),
    },
  ].map(({ what, atMost, types }): Case => ({
    says: `give a page of another site that comes while ${what} is typed no more keys of it than ${atMost}`,
    pages: {
      '/': `<form><input name="user" oninput="oninput = null; location = ${otherOrigin} + '/login'"></form>`,
      '/login': signIn,
    },
    does: async (on) => {
      const [end = ''] = await types(on);
      const title = await on.titleAfter('');
      return [end.startsWith('page '), title.endsWith('|'), title.length <= '|'.length + atMost];
    },
    gives: [true, true, true],
  })),
  {
    says: 'get the targets of links and forms, and the text of each host, from observations',
    pages: {
      '/': `<a href="/next?q=1">Next</a><form action="/send"><label>Word <input></label></form><p>Outer words</p>
        <script>document.write('<iframe style="width:250px;height:200px" src="' + location.origin.replace('127.0.0.1', '127.0.0.2') + '/deep"></iframe>')</script>`,
      '/deep': '<p>Inner words</p><a href="/deeper">Deeper</a>',
      '/alone': '<iframe src="/same"></iframe>',
      '/same': '<p>Same</p>',
    },
    does: async (on) => {
      const { links = [], voices = [], text } = await on.observe();
      const short = (address: string) => address.replace(on.origin, 'here').replace(on.elsewhere, 'there');
      const says = voices.map(({ url, said }) => `${short(url)} ${said.replaceAll('\n', ' ')}`);
      await on.go('/alone');
      const alone = await on.observe();
      return [links.map(short).sort(), says, text.includes('Inner words'), alone.voices ?? null];
    },
    gives: [
      ['here/next?q=1', 'here/send', 'there/deeper'],
      ['here/ Next Word Outer words Next Word', 'there/deep Inner words Deeper Deeper'],
      true,
      null,
    ],
  },
];
