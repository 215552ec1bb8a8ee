import type { Site } from '../site.ts';
import type { Errand } from '../task.ts';
import { field, form, link, page, routed } from './page.ts';
import { done, fill, goHome, look, tap } from './scripts.ts';

const months = ['January', 'February', 'March', 'April', 'May', 'June'];
const daysOf = (month: string): number => new Date(2026, months.indexOf(month) + 1, 0).getDate();

/** The days of a month, with links to the months before and after. */
function monthPage(
  title: string,
  month: string,
  toMonth: (month: string) => string,
  toDay: (day: string) => string,
): string {
  const beside = (offset: number, text: string) => {
    const other = months[months.indexOf(month) + offset];
    return other === undefined ? '' : link(toMonth(other), text);
  };
  const days = Array.from({ length: daysOf(month) }, (_, index) => index + 1).map(
    (day) => `<a href="${toDay(`${day}-${month}`)}" aria-label="${day} ${month}">${day}</a>`,
  );
  return page(
    title,
    `<h2>${month} 2026</h2>`,
    beside(-1, 'Previous month'),
    beside(1, 'Next month'),
    days.join(' '),
  );
}

const practice: Site = ({ record }) =>
  routed({
    '/': ({ query: { month = 'January' } }) =>
      monthPage(
        'Choose a day',
        month,
        (other) => `/?month=${other}`,
        (day) => `/days/${day}`,
      ),
    '/days/*': ({ id }) =>
      page(
        `Times on ${id.replace('-', ' ')}`,
        ...['09:00', '10:30', '14:15'].map((time) => link(`/times/${id}_${time}`, time)),
      ),
    '/times/*': ({ id }) =>
      page(
        'Your appointment',
        `<p>${id.replace(/[-_]/g, ' ')}</p>`,
        form(`/booked/${id}`, 'Book', field('Name', 'name')),
      ),
    'POST /booked/*': ({ id, fields }) => {
      const [day = '', time = ''] = id.split('_');
      record('booked', { day, time, ...fields });
      return '/thanks';
    },
    '/thanks': () => page('Booked', '<p>See you then.</p>'),
  });

const guestHouse: Site = ({ record }) =>
  routed({
    '/': () => page('Guest house', link('/arrival', 'Book a room')),
    '/arrival': ({ query: { month = 'March' } }) =>
      monthPage(
        'Arrival',
        month,
        (other) => `/arrival?month=${other}`,
        (day) => `/departure?from=${day}&month=${month}`,
      ),
    '/departure': ({ query: { month = 'March', from = '' } }) =>
      monthPage(
        'Departure',
        month,
        (other) => `/departure?from=${from}&month=${other}`,
        (day) => `/stay?from=${from}&to=${day}`,
      ),
    '/stay': ({ query: { from = '', to = '' } }) =>
      page('Your stay', `<p>From ${from} to ${to}</p>`, form(`/stays/${from}_${to}`, 'Confirm the booking')),
    'POST /stays/*': ({ id }) => {
      const [from = '', to = ''] = id.split('_');
      record('stay', { from, to });
      return '/thanks';
    },
    '/thanks': () => page('Booked', '<p>We look forward to seeing you.</p>'),
  });

export const calendarErrands: readonly Errand[] = [
  {
    name: 'book a time two months on',
    topic: 'calendar',
    site: practice,
    turns: [
      {
        sentences: '',
        says: 'Book an appointment at {site} on "13 March" at "10:30". Name: "Mira Holm".',
        replies: [
          look(goHome),
          look(tap('link', 'Next month')),
          look(tap('link', 'Next month')),
          look(tap('link', '13 March')),
          look(tap('link', '10:30')),
          done(fill('Name', 'Mira Holm'), tap('button', 'Book')),
        ],
      },
    ],
    ends: { submitted: [{ path: 'booked', fields: { day: '13-March', time: '10:30', name: 'Mira Holm' } }] },
    byHand: {
      right: [['/booked/13-March_10:30', { name: 'Mira Holm' }]],
      wrong: [['/booked/13-February_10:30', { name: 'Mira Holm' }]],
    },
  },
  {
    name: 'book a stay over the end of a month',
    topic: 'calendar',
    site: guestHouse,
    turns: [
      {
        sentences: '',
        says: 'Book a room at {site} with arrival on "29 April" and departure on "2 May".',
        replies: [
          look(goHome),
          look(tap('link', 'Book a room')),
          look(tap('link', 'Next month')),
          look(tap('link', '29 April')),
          look(tap('link', 'Next month')),
          look(tap('link', '2 May')),
          done(tap('button', 'Confirm the booking')),
        ],
      },
    ],
    ends: { submitted: [{ path: 'stay', fields: { from: '29-April', to: '2-May' } }] },
    byHand: {
      right: [['/stays/29-April_2-May', {}]],
      wrong: [['/stays/29-April_2-June', {}]],
    },
  },
];
