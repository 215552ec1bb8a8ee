import type { Site } from '../site.ts';
import type { Errand } from '../task.ts';
import { field, form, link, page, routed, type Visit } from './page.ts';
import { fill, goHome, look, reads, says, saidImpossible, tap, typeSecret } from './scripts.ts';

const secret = 'north pier 17';
/** Deliberately not sorted by date. */
const invoices = [
  { number: 'R-204', month: 'February', date: '2026-02-03', total: '88.00' },
  { number: 'R-231', month: 'April', date: '2026-04-06', total: '129.40' },
  { number: 'R-219', month: 'March', date: '2026-03-02', total: '93.10' },
];
const letters = [
  { id: 'a', from: 'Ferry line', about: 'New timetable', body: 'The last ferry leaves at 21:40.' },
  { id: 'b', from: 'Harbour office', about: 'Your berth', body: 'Your berth is number 47, from May on.' },
];

const startPage = page(
  'Harbour office',
  '<p>Sign in</p>',
  form('/user', 'Continue', field('Customer number', 'user')),
);
const homePage = page(
  'Harbour office',
  link('/invoices', 'Invoices'),
  link('/letters', `Letters (${letters.length})`),
);
const invoicesPage = page(
  'Invoices',
  ...invoices.map(({ number, month, date }) =>
    link(`/invoices/${number}`, `Invoice ${number} of ${month} (${date})`),
  ),
);
const invoicePage = (id: string): string => {
  const total = invoices.find(({ number }) => number === id)?.total;
  return page(`Invoice ${id}`, `<p>Total: ${total} euros</p>`, form(`/paid/${id}`, 'Pay now'));
};
const lettersPage = page(
  'Letters',
  ...letters.map(({ id, from, about }) => link(`/letters/${id}`, `${from}: ${about}`)),
);
const letterPage = (id: string): string =>
  page('Letter', `<p>${letters.find((each) => each.id === id)?.body}</p>`, form(`/erased/${id}`, 'Delete'));

/** Asks for the customer number and for the password on two pages. */
const office: Site = ({ record }) => {
  let [user, isIn] = ['', false];
  const inside = (route: (visit: Visit) => string) => (visit: Visit) => (isIn ? route(visit) : '/');
  return routed({
    '/': () => (isIn ? homePage : startPage),
    'POST /user': ({ fields }) => ((user = fields.user ?? ''), '/password'),
    '/password': () =>
      page('Your password', form('/password', 'Sign in', field('Password', 'password', 'password'))),
    'POST /password': ({ fields }) => {
      isIn = user === 'C-1180' && fields.password === secret;
      return isIn ? '/' : '/password';
    },
    '/invoices': inside(() => invoicesPage),
    '/invoices/*': inside(({ id }) => invoicePage(id)),
    'POST /paid/*': inside(({ id }) => (record('paid', { id }), '/invoices')),
    '/letters': inside(() => lettersPage),
    '/letters/*': inside(({ id }) => letterPage(id)),
    'POST /erased/*': inside(({ id }) => (record('erased', { id }), '/letters')),
  });
};

const order = `Sign in at {site} with the customer number "C-1180" and the password "${secret}"`;
const byHand = [
  ['/user', { user: 'C-1180' }],
  ['/password', { password: secret }],
] as const;
const signIn = [
  look(goHome),
  look(fill('Customer number', 'C-1180'), tap('button', 'Continue')),
  look(typeSecret('Password', secret), tap('button', 'Sign in')),
];

export const officeErrands: readonly Errand[] = [
  {
    name: 'open the newest invoice and read its total',
    topic: 'signing in',
    site: office,
    turns: [
      {
        sentences: '',
        says: `${order}, open the invoices, open the newest one and tell me the total.`,
        replies: [
          ...signIn,
          look(tap('link', 'Invoices')),
          look(tap('link', 'Invoice R-231 of April (2026-04-06)')),
          reads(/Total: ([\d.]+)/),
        ],
        answer: /129\.40/,
      },
    ],
    ends: { visited: ['/invoices/R-231'], secrets: [secret] },
    byHand: {
      right: [...byHand, ['/invoices/R-231']],
      wrong: [...byHand, ['/invoices/R-231'], ['/paid/R-231', {}]],
      answer: 'The total is 129.40 euros.',
    },
  },
  {
    name: 'read a letter behind two pages of sign-in',
    topic: 'signing in',
    site: office,
    turns: [
      {
        sentences: '',
        says: `${order}, open the letters and tell me the number of my berth.`,
        replies: [
          ...signIn,
          look(tap('link', 'Letters (2)')),
          look(tap('link', 'Harbour office: Your berth')),
          reads(/berth is number (\d+)/),
        ],
        answer: /\b47\b/,
      },
    ],
    ends: { visited: ['/letters/b'], secrets: [secret] },
    byHand: {
      right: [...byHand, ['/letters/b']],
      wrong: [...byHand, ['/letters/b'], ['/erased/b', {}]],
      answer: 'It is number 47.',
    },
  },
  {
    name: 'say that there is no such invoice',
    topic: 'not possible',
    site: office,
    turns: [
      {
        sentences: '',
        says: `${order}, open the invoices and tell me the total of the invoice of "August".`,
        replies: [
          ...signIn,
          look(tap('link', 'Invoices')),
          says('There is no invoice of August, only of February, March and April.'),
        ],
        outcomes: saidImpossible,
        answer: /\bno\b|\bnot\b|n't/i,
      },
    ],
    ends: { visited: ['/invoices'], secrets: [secret] },
    byHand: {
      right: [...byHand, ['/invoices']],
      wrong: [...byHand, ['/invoices'], ['/paid/R-231', {}]],
      answer: 'There is no invoice of August.',
    },
  },
];
