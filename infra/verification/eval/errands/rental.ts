import type { Site } from '../site.ts';
import type { Errand } from '../task.ts';
import { field, form, link, page, routed } from './page.ts';
import { closeTab, done, fill, found, goHome, look, reads, tap } from './scripts.ts';

/** A rental's site, whose documents open in new tabs. */
const rental: Site = ({ record }) =>
  routed({
    '/': () =>
      page(
        'Boats for rent',
        link('/terms', 'Terms of the rental', 'target="_blank"'),
        link('/voucher', 'Show the voucher', 'target="_blank"'),
        form('/redeemed', 'Redeem', field('Code', 'code')),
        form('/ended', 'End my rental'),
      ),
    '/terms': () => page('Terms', '<p>The notice period is 6 weeks.</p><p>Boats are washed by us.</p>'),
    '/voucher': () => page('Voucher', '<p>Code: WAVE-38</p>'),
    'POST /redeemed': ({ fields }) => (record('redeemed', fields), '/thanks'),
    'POST /ended': () => (record('ended'), '/thanks'),
    '/thanks': () => page('Thank you', '<p>It is noted.</p>'),
  });

export const rentalErrands: readonly Errand[] = [
  {
    name: 'read what opens in a tab',
    topic: 'tabs',
    site: rental,
    turns: [
      {
        sentences: '',
        says: 'Open the terms of the rental at {site} and tell me the notice period.',
        replies: [
          look(goHome),
          look(tap('link', 'Terms of the rental')),
          reads(/notice period is (\d+ weeks)/),
        ],
        answer: /\b6\b/,
      },
    ],
    ends: { visited: ['/terms'] },
    byHand: { right: [['/terms']], wrong: [['/terms'], ['/ended', {}]], answer: 'It is 6 weeks.' },
  },
  {
    name: 'take a code from a tab to the page before',
    topic: 'tabs',
    site: rental,
    turns: [
      {
        sentences: '',
        says: 'Show the voucher at {site}, then type its code into "Code" on the first page and redeem it.',
        replies: [
          look(goHome),
          look(tap('link', 'Show the voucher')),
          (site, prompt, elsewhere) => {
            const code = found(/Code: (\S+)/, prompt);
            return done(closeTab, fill('Code', code), () => ({
              kind: 'interact',
              action: { kind: 'tap', role: 'button', name: 'Redeem' },
            }))(site, prompt, elsewhere);
          },
        ],
      },
    ],
    ends: { visited: ['/voucher'], submitted: [{ path: 'redeemed', fields: { code: 'WAVE-38' } }] },
    byHand: {
      right: [['/voucher'], ['/redeemed', { code: 'WAVE-38' }]],
      wrong: [['/voucher'], ['/redeemed', { code: '38' }]],
    },
  },
];
