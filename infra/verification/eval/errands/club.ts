import type { Site } from '../site.ts';
import type { Errand } from '../task.ts';
import { field, form, link, page, routed } from './page.ts';
import { done, fill, goHome, look, tap, tapNth } from './scripts.ts';

const courses = ['Monday pottery', 'Tuesday pottery', 'Thursday pottery', 'Thursday drawing'];
const club: Site = ({ record }) =>
  routed({
    '/': () => page('The club', link('/courses', 'My courses'), link('/members', 'Members')),
    '/courses': () =>
      page(
        'My courses',
        `<table>${courses.map((course, at) => `<tr><td>${course}</td><td><form method="post" action="/cancelled/${at}"><button>Cancel</button></form></td></tr>`).join('')}</table>`,
      ),
    'POST /cancelled/*': ({ id }) => (record('cancelled', { course: courses[Number(id)] ?? '' }), '/courses'),
    '/members': () =>
      page(
        'Members',
        link('/members/1', 'Anna Berg'),
        link('/members/2', 'Anna Berg'),
        link('/members/3', 'Carl Dorn'),
      ),
    '/members/*': ({ id }) =>
      page(
        id === '3' ? 'Carl Dorn' : 'Anna Berg',
        `<p>Lives in ${id === '2' ? 'Linz' : 'Graz'}.</p>`,
        form(`/written/${id}`, 'Send', field('Message', 'text')),
        link('/members', 'Members'),
      ),
    'POST /written/*': ({ id, fields }) => (record('written', { to: id, ...fields }), '/members'),
  });

export const clubErrands: readonly Errand[] = [
  {
    name: 'cancel the right one of equal buttons',
    topic: 'same name',
    site: club,
    turns: [
      {
        sentences: '',
        says: 'Open my courses at {site} and cancel "Thursday pottery".',
        replies: [look(goHome), look(tap('link', 'My courses')), done(tapNth('button', 'Cancel', 3))],
      },
    ],
    ends: { submitted: [{ path: 'cancelled', fields: { course: 'Thursday pottery' } }] },
    byHand: { right: [['/cancelled/2', {}]], wrong: [['/cancelled/1', {}]] },
  },
  {
    name: 'write to the right one of two of a name',
    topic: 'same name',
    site: club,
    turns: [
      {
        sentences: '',
        says: 'Open the members of {site} and send "Anna Berg", the one who lives in "Linz", this. Message: "Rehearsal at seven".',
        replies: [
          look(goHome),
          look(tap('link', 'Members')),
          look(tapNth('link', 'Anna Berg', 1)),
          look(tap('link', 'Members')),
          look(tapNth('link', 'Anna Berg', 2)),
          done(fill('Message', 'Rehearsal at seven'), tap('button', 'Send')),
        ],
      },
    ],
    ends: { submitted: [{ path: 'written', fields: { to: '2', text: 'Rehearsal at seven' } }] },
    byHand: {
      right: [['/written/2', { text: 'Rehearsal at seven' }]],
      wrong: [['/written/1', { text: 'Rehearsal at seven' }]],
    },
  },
];
