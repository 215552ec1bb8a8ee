import type { Site } from '../site.ts';
import type { Errand } from '../task.ts';
import { form, page, routed } from './page.ts';
import { done, goHome, look, reads, tap } from './scripts.ts';

const people = 'Ada Ben Cleo Dan Eva Finn Gus Hal Ida Jon Kim Lea Max Nora Otto Pia'.split(' ');
const families = ['Ames', 'Brandt', 'Quint'];
const entries = families.flatMap((family) => people.map((given) => `${given} ${family}`));
const phoneOf = (name: string): string => `555-0${100 + entries.indexOf(name) * 7}`;
const feedScript = `let at = 0, busy = false;
  const more = async () => {
    if (busy || at < 0) return;
    busy = true;
    const rows = await (await fetch('/more?after=' + at)).text();
    rowsHere.insertAdjacentHTML('beforeend', rows);
    at = rows === '' ? -1 : at + 8;
    busy = false;
  };
  addEventListener('scroll', () => { if (scrollY + innerHeight > document.body.scrollHeight - 300) more(); });
  more();`;

/** Loads eight entries at a time on scrolling. */
const directory: Site = ({ record }) =>
  routed({
    '/': () => page('Directory', `<div id="rowsHere"></div><script>${feedScript}</script>`),
    '/more': ({ query }) => ({
      status: 200,
      body: entries
        .slice(Number(query.after), Number(query.after) + 8)
        .map(
          (name) =>
            `<div style="height:160px"><p>${name}, phone ${phoneOf(name)}</p>${form(`/greeted/${encodeURIComponent(name)}`, `Greet ${name}`)}</div>`,
        )
        .join(''),
    }),
    'POST /greeted/*': ({ id }) => (record('greeted', { name: decodeURIComponent(id) }), '/thanks'),
    '/thanks': () => page('Greeted', '<p>Your greeting is sent.</p>'),
  });

const scrolls = (times: number) =>
  Array.from({ length: times }, () => look(() => ({ kind: 'scroll', direction: 'down', amount: 4000 })));

export const directoryErrands: readonly Errand[] = [
  {
    name: 'read what comes only as the list is scrolled',
    topic: 'scrolling',
    site: directory,
    turns: [
      {
        sentences: '',
        says: 'Scroll down the list of {site}, and tell me the phone of "Cleo Quint".',
        replies: [look(goHome), ...scrolls(5), reads(/Cleo Quint, phone ([\d-]+)/)],
        answer: new RegExp(phoneOf('Cleo Quint')),
      },
    ],
    ends: { visited: ['/more'] },
    byHand: {
      right: [['/more?after=32']],
      wrong: [['/greeted/Cleo%20Quint', {}]],
      answer: `It is ${phoneOf('Cleo Quint')}.`,
    },
  },
  {
    name: 'greet one who comes only as the list is scrolled',
    topic: 'scrolling',
    site: directory,
    turns: [
      {
        sentences: '',
        says: 'Scroll down the list of {site} and greet "Finn Brandt".',
        replies: [look(goHome), ...scrolls(3), done(tap('button', 'Greet Finn Brandt'))],
      },
    ],
    ends: { submitted: [{ path: 'greeted', fields: { name: 'Finn Brandt' } }] },
    byHand: { right: [['/greeted/Finn%20Brandt', {}]], wrong: [['/greeted/Finn%20Ames', {}]] },
  },
];
