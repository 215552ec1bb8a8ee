import type { Fields, Site } from '../site.ts';
import type { Errand } from '../task.ts';
import { alert, box, choice, field, form, link, list, missing, page, routed } from './page.ts';
import { check, choose, done, fill, goHome, look, reads, tap, upload } from './scripts.ts';

const startPage = page(
  'Town desk',
  link('/papers', 'Hand in a paper'),
  link('/meter', 'Report a reading'),
  link('/register', 'Register'),
);
const papersPage = (isLacking: boolean): string =>
  page(
    'Hand in a paper',
    alert(isLacking ? 'A file is needed.' : ''),
    `<form method="post" action="/papers" enctype="multipart/form-data">${choice('Subject', 'subject', ['Other', 'Building', 'Trees'])}
      <p><label>Paper <input type="file" name="paper"></label></p>${box('I am the owner', 'owner')}<p><button>Upload</button></p></form>`,
  );
const checkPage = ({ paper = '', subject = '' }: Fields): string =>
  page(
    'Check your paper',
    list([paper, subject]),
    form('/papers/confirmed', 'Confirm'),
    link('/papers', 'Change it'),
  );
const registerPage = (isTaken: boolean, isLacking: boolean): string =>
  page(
    'Register',
    alert(isTaken ? 'This user name is taken.' : ''),
    alert(isLacking ? 'Name, user name and phone are needed.' : ''),
    form('/register', 'Send', field('Name', 'name'), field('User name', 'user'), field('Phone', 'phone')),
  );

/** A town's service desk: submit and confirm papers, report meter readings, register names. */
const desk: Site = ({ record }) => {
  let [draft, reading]: [Fields, Fields] = [{}, {}];
  return routed({
    '/': () => startPage,
    '/papers': ({ query }) => papersPage('lacks' in query),
    'POST /papers': ({ fields }) => {
      draft = fields;
      return fields.paper ? '/papers/check' : '/papers?lacks';
    },
    '/papers/check': () => checkPage(draft),
    'POST /papers/confirmed': () => (record('paper', draft), '/papers/receipt'),
    '/papers/receipt': () => page('Received', '<p>Your ticket is T-5521.</p>'),
    '/meter': () => meterPage(reading),
    'POST /meter': ({ fields }) => {
      reading = fields;
      if (wrongWith(fields).length > 0) return '/meter';
      record('reading', fields);
      return '/meter/thanks';
    },
    '/meter/thanks': () => page('Thank you', '<p>We have your reading.</p>'),
    '/register': ({ query }) => registerPage('taken' in query, 'lacks' in query),
    'POST /register': ({ fields }) => {
      if (missing(fields, ['name', 'user', 'phone']).length > 0) return '/register?lacks';
      if (fields.user === 'mira') return '/register?taken';
      record('registered', fields);
      return '/register/thanks';
    },
    '/register/thanks': () => page('Welcome', '<p>You are registered.</p>'),
  });
};

/** Missing fields, including ones that the page asks for only after the form was sent. */
const wrongWith = (fields: Fields): readonly string[] =>
  missing(fields, ['meter', 'reading', 'email', 'mine']);

const meterPage = (sent: Fields): string => {
  const wasSent = Object.keys(sent).length > 0;
  return page(
    'Report a reading',
    alert(wasSent ? 'Please complete: your e-mail, and that the reading is yours.' : ''),
    form(
      '/meter',
      'Send',
      field('Meter', 'meter', 'text', sent.meter),
      field('Reading', 'reading', 'text', sent.reading),
      ...(wasSent ? [field('E-mail', 'email', 'text', sent.email), box('The reading is mine', 'mine')] : []),
    ),
  );
};

const paper = (subject: string, name: string, text: string, more = {}) => ({
  path: 'paper',
  fields: { subject, paper: name, paper_text: text, ...more },
});
const meter = { meter: 'A-7713', reading: '48210', email: 'mira@example.org', mine: 'on' };
const person = { name: 'Mira Holm', user: 'mira.holm', phone: '+43 660 1234' };

export const deskErrands: readonly Errand[] = [
  {
    name: 'upload a file and confirm it',
    topic: 'upload',
    site: desk,
    turns: [
      {
        sentences: '',
        says: 'Hand in a paper at {site}: a file "fence.txt" with the text "A fence of two metres." Confirm it, and tell me the ticket.',
        replies: [
          look(goHome),
          look(tap('link', 'Hand in a paper')),
          look(upload('Paper', 'fence.txt', 'A fence of two metres.'), tap('button', 'Upload')),
          look(tap('button', 'Confirm')),
          reads(/ticket is (T-\d+)/),
        ],
        answer: /T-5521/,
      },
    ],
    ends: { submitted: [paper('Other', 'fence.txt', 'A fence of two metres.')] },
    byHand: {
      right: [
        ['/papers', paper('Other', 'fence.txt', 'A fence of two metres.').fields],
        ['/papers/confirmed', {}],
      ],
      wrong: [
        ['/papers', paper('Other', 'other.txt', 'Something else').fields],
        ['/papers/confirmed', {}],
      ],
      answer: 'The ticket is T-5521.',
    },
  },
  {
    name: 'upload a file for a subject, as the owner',
    topic: 'upload',
    site: desk,
    turns: [
      {
        sentences: '',
        says: 'At {site}, hand in a paper: choose "Trees" for "Subject", a file "oak.txt" with the text "The oak is ill.", check "I am the owner", and confirm it.',
        replies: [
          look(goHome),
          look(tap('link', 'Hand in a paper')),
          look(
            choose('Subject', 'Trees'),
            upload('Paper', 'oak.txt', 'The oak is ill.'),
            check('I am the owner'),
            tap('button', 'Upload'),
          ),
          done(tap('button', 'Confirm')),
        ],
      },
    ],
    ends: { submitted: [paper('Trees', 'oak.txt', 'The oak is ill.', { owner: 'on' })] },
    byHand: {
      right: [
        ['/papers', paper('Trees', 'oak.txt', 'The oak is ill.', { owner: 'on' }).fields],
        ['/papers/confirmed', {}],
      ],
      wrong: [
        ['/papers', paper('Trees', 'oak.txt', 'The oak is ill.').fields],
        ['/papers/confirmed', {}],
      ],
    },
  },
  {
    name: 'add what a form asks for once it is sent',
    topic: 'mistakes',
    site: desk,
    turns: [
      {
        sentences: '',
        says: 'Report a reading at {site}. Meter: "A-7713". Reading: "48210". E-mail: "mira@example.org". The reading is mine.',
        replies: [
          look(goHome),
          look(tap('link', 'Report a reading')),
          look(fill('Meter', meter.meter), fill('Reading', meter.reading), tap('button', 'Send')),
          done(fill('E-mail', meter.email), check('The reading is mine'), tap('button', 'Send')),
        ],
      },
    ],
    ends: { submitted: [{ path: 'reading', fields: meter }] },
    byHand: { right: [['/meter', meter]], wrong: [['/meter', { ...meter, reading: '4821' }]] },
  },
  {
    name: 'take another name where the first is taken',
    topic: 'mistakes',
    site: desk,
    turns: [
      {
        sentences: '',
        says: 'Register at {site}. Name: "Mira Holm". User name: "mira", or "mira.holm" if that is taken. Phone: "+43 660 1234".',
        replies: [
          look(goHome),
          look(tap('link', 'Register')),
          look(
            fill('Name', person.name),
            fill('User name', 'mira'),
            fill('Phone', person.phone),
            tap('button', 'Send'),
          ),
          done(
            fill('Name', person.name),
            fill('User name', person.user),
            fill('Phone', person.phone),
            tap('button', 'Send'),
          ),
        ],
      },
    ],
    ends: { submitted: [{ path: 'registered', fields: person }] },
    byHand: { right: [['/register', person]], wrong: [['/register', { ...person, user: 'mira2' }]] },
  },
];
