import { elsewhere } from '../../../../../contracts/fleet/operations.ts';
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
