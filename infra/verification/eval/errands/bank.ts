import type { Errand } from '../task.ts';
import type { Site } from '../site.ts';
import { alert, field, form, link, list, page, routed, type Visit } from './page.ts';
import { done, fill, goHome, look, reads, tap, typeSecret } from './scripts.ts';

const secret = 'blue lantern 9';
const accounts = {
  current: ['Current account', '318.20', ['Bakery -4.20', 'Rent -640.00']],
  savings: ['Savings account', '1,204.50', ['Interest 3.10', 'Deposit 100.00']],
} as const;
const bills = ['January', 'February', 'March', 'April'].map(
  (month, at) => [month, `${41 + at * 7}.30`] as const,
);

const signInPage = (hasRunOut: boolean, isWrong: boolean): string =>
  page(
    'Harbour Bank',
    alert(hasRunOut ? 'Your session has run out. Please sign in again.' : ''),
    alert(isWrong ? 'Wrong password.' : ''),
    form('/sign-in', 'Sign in', field('User name', 'user'), field('Password', 'password', 'password')),
  );
const homePage = page(
  'Your accounts',
  ...Object.entries(accounts).map(([id, [name]]) => link(`/accounts/${id}`, name)),
  link('/bills', 'Electricity bills'),
  link('/limit', 'Daily limit'),
  link('/close', 'Close all accounts'),
);
const accountPage = ([name, balance, lines]: (typeof accounts)[keyof typeof accounts]): string =>
  page(name, `<p>Balance: ${balance} euros</p>`, list(lines), link('/home', 'Your accounts'));
const billsPage = page(
  'Electricity bills',
  ...bills.map(([month]) => link(`/bills/${month}`, `Bill of ${month}`)),
);
const billPage = (of: string): string =>
  page(`Bill of ${of}`, `<p>Amount: ${bills.find(([month]) => month === of)?.[1]} euros</p>`);
const limitPage = (limit: string): string =>
  page('Daily limit', `<p>It is ${limit} euros.</p>`, form('/limit', 'Save', field('New limit', 'limit')));

/** The web session expires once, at the request for `runsOutAt`. */
const bank =
  (runsOutAt?: string): Site =>
  ({ record }) => {
    let [isIn, hasRunOut, limit] = [false, false, '1,000'];
    const inside = (route: (visit: Visit) => string) => (visit: Visit) => {
      if (visit.path === runsOutAt && !hasRunOut) [isIn, hasRunOut] = [false, true];
      return isIn ? route(visit) : '/sign-in?again';
    };
    return routed({
      '/': () => (isIn ? '/home' : '/sign-in'),
      '/sign-in': ({ query }) => signInPage('again' in query && hasRunOut, 'wrong' in query),
      'POST /sign-in': ({ fields: { user, password } }) => {
        isIn = user === 'mira' && password === secret;
        return isIn ? '/home' : '/sign-in?wrong';
      },
      '/home': inside(() => homePage),
      '/accounts/*': inside(({ id }) => accountPage(accounts[id === 'savings' ? 'savings' : 'current'])),
      '/bills': inside(() => billsPage),
      '/bills/*': inside(({ id }) => billPage(id)),
      '/limit': inside(() => limitPage(limit)),
      'POST /limit': inside(({ fields }) => {
        limit = fields.limit ?? '';
        record('limit', { limit });
        return '/limit';
      }),
      '/close': inside(() => page('Close all accounts', form('/close', 'Close them now'))),
      'POST /close': inside(() => (record('closed'), '/')),
    });
  };

const says = `Sign in at {site} as "mira" with the password "${secret}"`;
const byHand = ['/sign-in', { user: 'mira', password: secret }] as const;
const signIn = [fill('User name', 'mira'), typeSecret('Password', secret), tap('button', 'Sign in')];

export const bankErrands: readonly Errand[] = [
  {
    name: 'read a balance behind a sign-in',
    topic: 'signing in',
    site: bank(),
    turns: [
      {
        sentences: '',
        says: `${says} and tell me the balance of the savings account.`,
        replies: [
          look(goHome),
          look(...signIn),
          look(tap('link', 'Savings account')),
          reads(/Balance: ([\d.,]+)/),
        ],
        answer: /1,?204\.50/,
      },
    ],
    ends: { visited: ['/accounts/savings'], secrets: [secret] },
    byHand: {
      right: [byHand, ['/accounts/savings']],
      wrong: [byHand, ['/accounts/current']],
      answer: 'It is 1,204.50 euros.',
    },
  },
  {
    name: 'save a limit though the session runs out',
    topic: 'running out',
    site: bank('/limit'),
    turns: [
      {
        sentences: '',
        says: `${says}, open the daily limit and save a new limit of "300".`,
        replies: [
          look(goHome),
          look(...signIn),
          look(tap('link', 'Daily limit')),
          look(...signIn),
          look(tap('link', 'Daily limit')),
          done(fill('New limit', '300'), tap('button', 'Save')),
        ],
      },
    ],
    ends: { submitted: [{ path: 'limit', fields: { limit: '300' } }], secrets: [secret] },
    byHand: {
      right: [byHand, ['/limit', {}], byHand, ['/limit', { limit: '300' }]],
      wrong: [byHand, ['/limit', {}], byHand, ['/limit', { limit: '3000' }]],
    },
  },
  {
    name: 'read a bill though the session runs out',
    topic: 'running out',
    site: bank('/bills/March'),
    turns: [
      {
        sentences: '',
        says: `${says}, open the electricity bills and tell me the amount of the bill of March.`,
        replies: [
          look(goHome),
          look(...signIn),
          look(tap('link', 'Electricity bills')),
          look(tap('link', 'Bill of March')),
          look(...signIn),
          look(tap('link', 'Electricity bills')),
          look(tap('link', 'Bill of March')),
          reads(/Amount: ([\d.,]+)/),
        ],
        answer: /55\.30/,
      },
    ],
    ends: { visited: ['/bills/March'], secrets: [secret] },
    byHand: {
      right: [byHand, ['/bills/March'], byHand, ['/bills/March']],
      wrong: [byHand, ['/bills/April']],
      answer: 'It is 55.30 euros.',
    },
  },
];
