import type { Site } from '../site.ts';
import type { Errand } from '../task.ts';
import { choice, form, link, list, page, routed } from './page.ts';
import { choose, done, goHome, look, open, says, tap } from './scripts.ts';

interface Tent {
  readonly id: string;
  readonly name: string;
  readonly people: number;
  readonly grams: number;
  readonly euros: number;
  /** Years of guarantee, shown only on the tent's own page. */
  readonly years: number;
}

const names = 'Alder Birch Cedar Dune Elm Fjord Gale Heath Iris Juniper Kelp Larch Moss Nettle Oak'.split(
  ' ',
);
const tents: readonly Tent[] = names.map((name, at) => ({
  ...{ id: name.toLowerCase(), name, people: 2 + ((at * 3) % 4), grams: 1900 + ((at * 930 + 1000) % 2900) },
  ...{ euros: 149 + ((at * 83 + 140) % 260), years: 1 + ((at * 3) % 7) },
}));
const perPage = 5;

const catalogue: Site = ({ record }) =>
  routed({
    '/': ({ query }) => {
      const isFor = ({ people }: Tent) =>
        !query.people || query.people === 'any' || String(people) === query.people;
      const by = { weight: 'grams', price: 'euros' }[query.sort ?? ''] as 'grams' | 'euros' | undefined;
      const found = tents.filter(isFor).sort((a, b) => (by ? a[by] - b[by] : 0));
      const at = Number(query.page ?? 1);
      const search = (page: number) =>
        `/?${new URLSearchParams({ ...query, page: String(page) }).toString()}`;
      return page(
        'Tents',
        `<form action="/">${choice('People', 'people', ['any', '2', '3', '4', '5'])}${choice('Sort by', 'sort', ['name', 'weight', 'price'])}<p><button>Show</button></p></form>`,
        `<p>Page ${at} of ${Math.ceil(found.length / perPage)}</p>`,
        list(
          found
            .slice((at - 1) * perPage, at * perPage)
            .map(
              ({ id, name, people, grams, euros }) =>
                `<a href="/tents/${id}">${name}</a> for ${people} people, ${grams} g, ${euros} euros`,
            ),
        ),
        at * perPage < found.length ? link(search(at + 1), 'Next page') : '',
        at > 1 ? link(search(at - 1), 'Previous page') : '',
      );
    },
    '/tents/*': ({ id }) => {
      const tent = tents.find((each) => each.id === id);
      return page(
        tent?.name ?? 'Gone',
        `<p>Guarantee: ${tent?.years} years</p>`,
        form(`/reserved/${id}`, 'Reserve'),
        link('/', 'All tents'),
      );
    },
    'POST /reserved/*': ({ id }) => (record('reserved', { id }), `/done/${id}`),
    '/done/*': ({ id }) => page('Reserved', `<p>We keep ${id} for you.</p>`),
  });

const least = (of: readonly Tent[], by: 'grams' | 'euros'): Tent =>
  of.reduce((best, each) => (each[by] < best[by] ? each : best));
const cheapest = least(tents, 'euros');
const lightestForFour = least(
  tents.filter(({ people }) => people === 4),
  'grams',
);
const reserved = (id: string) => [{ path: 'reserved', fields: { id } }];
const compared = ['Birch', 'Cedar', 'Fjord'];
const longest = tents
  .filter(({ name }) => compared.includes(name))
  .reduce((best, each) => (each.years > best.years ? each : best));

export const catalogueErrands: readonly Errand[] = [
  {
    name: 'find the cheapest on three pages',
    topic: 'comparing',
    site: catalogue,
    turns: [
      {
        sentences: '',
        says: 'Look at all pages of {site}, and tell me which tent is the cheapest.',
        replies: [
          look(goHome),
          look(tap('link', 'Next page')),
          look(tap('link', 'Next page')),
          says(`The cheapest is ${cheapest.name}, for ${cheapest.euros} euros.`),
        ],
        answer: new RegExp(cheapest.name),
      },
    ],
    ends: { visited: ['/'] },
    byHand: {
      right: [['/?page=2'], ['/?page=3']],
      wrong: [['/?page=2'], [`/reserved/${cheapest.id}`, {}]],
      answer: `It is ${cheapest.name}.`,
    },
  },
  {
    name: 'filter, sort and reserve the first',
    topic: 'comparing',
    site: catalogue,
    turns: [
      {
        sentences: '',
        says: 'At {site}, choose "4" for "People", sort by "weight", and reserve the lightest one.',
        replies: [
          look(goHome),
          look(choose('People', '4'), choose('Sort by', 'weight'), tap('button', 'Show')),
          look(tap('link', lightestForFour.name)),
          done(tap('button', 'Reserve')),
        ],
      },
    ],
    ends: { submitted: reserved(lightestForFour.id) },
    byHand: {
      right: [[`/reserved/${lightestForFour.id}`, {}]],
      wrong: [[`/reserved/${cheapest.id}`, {}]],
    },
  },
  {
    name: 'compare three by what their own pages say',
    topic: 'comparing',
    site: catalogue,
    turns: [
      {
        sentences: '',
        says: 'Compare the guarantee of the tents "Birch", "Cedar" and "Fjord" at {site}, and reserve the one with the longest.',
        replies: [
          look(open('/tents/birch')),
          look(open('/tents/cedar')),
          look(open('/tents/fjord')),
          ...(longest.name === 'Fjord' ? [] : [look(open(`/tents/${longest.id}`))]),
          done(tap('button', 'Reserve')),
        ],
      },
    ],
    ends: { submitted: reserved(longest.id) },
    byHand: { right: [[`/reserved/${longest.id}`, {}]], wrong: [['/reserved/moss', {}]] },
  },
];
