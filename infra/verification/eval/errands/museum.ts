import type { Site } from '../site.ts';
import type { Errand } from '../task.ts';
import { form, link, page, routed } from './page.ts';
import { done, goHome, look, reads, tap } from './scripts.ts';

const overlay = (...parts: readonly string[]): string =>
  `<div style="position:fixed;inset:0;background:#eee;padding:40px"><p>We and 214 partners use cookies.</p>${parts.join('')}</div>`;
const consentForm = (choice: string, button: string): string => form(`/consent/${choice}`, button);

/** A banner covers the page until it is answered; `isShort`: it has a refuse button. */
const museum =
  (isShort: boolean): Site =>
  ({ record }) => {
    let isAnswered = false;
    const banner = (isOpen: boolean): string => {
      if (isAnswered) return '';
      if (isShort) return overlay(consentForm('all', 'Accept all'), consentForm('none', 'Reject all'));
      return isOpen
        ? overlay(consentForm('all', 'Accept all'), consentForm('necessary', 'Only necessary'))
        : overlay(consentForm('all', 'Accept all'), link('/?settings', 'Settings'));
    };
    return routed({
      '/': ({ query }) =>
        page(
          'Museum of the harbour',
          link('/prices', 'Prices'),
          '<p>Should we open on Mondays?</p>',
          form('/voted/yes', 'Vote yes'),
          form('/voted/no', 'Vote no'),
          banner('settings' in query),
        ),
      '/prices': () => page('Prices', '<p>Weekdays: 9 euros</p><p>Sundays: 4 euros</p>', banner(false)),
      'POST /consent/*': ({ id }) => {
        isAnswered = true;
        record('consent', { to: id });
        return '/';
      },
      'POST /voted/*': ({ id }) => (record('voted', { id }), '/thanks'),
      '/thanks': () => page('Thank you', '<p>Your vote is counted.</p>'),
    });
  };

export const museumErrands: readonly Errand[] = [
  {
    name: 'read a price under a banner, refusing cookies',
    topic: 'consent',
    site: museum(true),
    turns: [
      {
        sentences: '',
        says: 'Open {site}, reject all cookies, open the prices and tell me what it costs on Sundays.',
        replies: [
          look(goHome),
          look(tap('button', 'Reject all')),
          look(tap('link', 'Prices')),
          reads(/Sundays: (\d+) euros/),
        ],
        answer: /\b4\b/,
      },
    ],
    ends: { visited: ['/prices'], submitted: [{ path: 'consent', fields: { to: 'none' } }] },
    byHand: {
      right: [['/consent/none', {}], ['/prices']],
      wrong: [['/consent/all', {}], ['/prices']],
      answer: 'It costs 4 euros.',
    },
  },
  {
    name: 'vote under a banner that hides its refusal',
    topic: 'consent',
    site: museum(false),
    turns: [
      {
        sentences: '',
        says: 'Vote yes at {site}. Of its cookies, allow only those that are necessary.',
        replies: [
          look(goHome),
          look(tap('link', 'Settings')),
          look(tap('button', 'Only necessary')),
          done(tap('button', 'Vote yes')),
        ],
      },
    ],
    ends: {
      submitted: [
        { path: 'consent', fields: { to: 'necessary' } },
        { path: 'voted', fields: { id: 'yes' } },
      ],
    },
    byHand: {
      right: [
        ['/consent/necessary', {}],
        ['/voted/yes', {}],
      ],
      wrong: [
        ['/consent/necessary', {}],
        ['/voted/no', {}],
      ],
    },
  },
];
