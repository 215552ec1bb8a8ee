import type { Fields, Site } from '../site.ts';
import type { Errand } from '../task.ts';
import { alert, field, form, link, list, missing, page, radios, routed } from './page.ts';
import { check, done, fill, goHome, look, says, saidImpossible, tap } from './scripts.ts';

const goods = { kettle: 24, teapot: 31, cup: 6, lantern: 18 };
const isSoldOut = (id: string) => id === 'lantern';

const goodsPage = (inCart: number): string =>
  page(
    'Kitchen shop',
    ...Object.entries(goods).map(([id, euros]) =>
      isSoldOut(id)
        ? `<p>${id}, ${euros} euros. Sold out.</p>`
        : `${id}, ${euros} euros ${form(`/cart/${id}`, `Add ${id}`)}`,
    ),
    link('/cart', `Cart (${inCart})`),
  );
const cartPage = (cart: readonly string[]): string =>
  page(
    'Cart',
    list(cart),
    form('/emptied', 'Empty the cart'),
    link('/address', 'To the address'),
    link('/', 'Go on shopping'),
  );
const addressFields = ['Name', 'Street', 'Postcode', 'City'].map((label) =>
  field(label, label.toLowerCase()),
);
const addressPage = (isLacking: boolean): string =>
  page(
    'Address',
    alert(isLacking ? 'Name, street, postcode and city are needed.' : ''),
    form('/address', 'Continue', ...addressFields),
  );
const deliveries = radios('delivery', ['standard', 'express', 'pick-up']);
const deliveryPage = page('Delivery', form('/delivery', 'Continue', deliveries, field('Note', 'note')));

/** A cart, then pages for address, delivery and confirmation. */
const shop: Site = ({ record }) => {
  const cart: string[] = [];
  let [address, delivery]: Fields[] = [];
  return routed({
    '/': () => goodsPage(cart.length),
    'POST /cart/*': ({ id }) => {
      if (!isSoldOut(id)) cart.push(id);
      return '/';
    },
    '/cart': () => cartPage(cart),
    'POST /emptied': () => (cart.splice(0), '/cart'),
    '/address': ({ query }) => addressPage('lacks' in query),
    'POST /address': ({ fields }) => {
      if (missing(fields, ['name', 'street', 'postcode', 'city']).length > 0) return '/address?lacks';
      address = fields;
      return '/delivery';
    },
    '/delivery': () => deliveryPage,
    'POST /delivery': ({ fields }) => ((delivery = fields), '/check'),
    '/check': () => {
      const lines = [...cart, ...Object.values({ ...address, ...delivery })];
      return page('Check your order', list(lines), form('/ordered', 'Place the order'));
    },
    'POST /ordered': () => {
      record('ordered', { goods: cart.splice(0).sort().join(' '), ...address, ...delivery });
      return '/thanks';
    },
    '/thanks': () => page('Thank you', '<p>Your order is on its way.</p>'),
  });
};

const person = { name: 'Mira Holm', street: '3 Elm Row', postcode: '8010', city: 'Graz' };
const toPerson = 'Name: "Mira Holm". Street: "3 Elm Row". Postcode: "8010". City: "Graz".';
const addressed = [
  look(tap('link', 'To the address')),
  look(
    fill('Name', person.name),
    fill('Street', person.street),
    fill('Postcode', person.postcode),
    fill('City', person.city),
    tap('button', 'Continue'),
  ),
];
const ordered = (of: string, delivery: string, note = '') => ({
  path: 'ordered',
  fields: { goods: of, ...person, delivery, note },
});

export const shopErrands: readonly Errand[] = [
  {
    name: 'order one thing, in four steps',
    topic: 'ordering',
    site: shop,
    turns: [
      {
        sentences: '',
        says: `Order one kettle at {site}, by "standard" delivery. ${toPerson}`,
        replies: [
          look(goHome),
          look(tap('button', 'Add kettle')),
          look(tap('link', 'Cart (1)')),
          ...addressed,
          look(check('standard'), tap('button', 'Continue')),
          done(tap('button', 'Place the order')),
        ],
      },
    ],
    ends: { submitted: [ordered('kettle', 'standard')] },
    byHand: {
      right: [
        ['/cart/kettle', {}],
        ['/address', person],
        ['/delivery', { delivery: 'standard', note: '' }],
        ['/ordered', {}],
      ],
      wrong: [
        ['/cart/teapot', {}],
        ['/address', person],
        ['/delivery', { delivery: 'standard', note: '' }],
        ['/ordered', {}],
      ],
    },
  },
  {
    name: 'order two kinds, with a note',
    topic: 'ordering',
    site: shop,
    turns: [
      {
        sentences: '',
        says: `Order one teapot and one cup at {site}, by "express" delivery. Note: "Leave it at the door". ${toPerson}`,
        replies: [
          look(goHome),
          look(tap('button', 'Add teapot')),
          look(tap('button', 'Add cup')),
          look(tap('link', 'Cart (2)')),
          ...addressed,
          look(check('express'), fill('Note', 'Leave it at the door'), tap('button', 'Continue')),
          done(tap('button', 'Place the order')),
        ],
      },
    ],
    ends: { submitted: [ordered('cup teapot', 'express', 'Leave it at the door')] },
    byHand: {
      right: [
        ['/cart/cup', {}],
        ['/cart/teapot', {}],
        ['/address', person],
        ['/delivery', { delivery: 'express', note: 'Leave it at the door' }],
        ['/ordered', {}],
      ],
      wrong: [
        ['/cart/cup', {}],
        ['/address', person],
        ['/delivery', { delivery: 'express', note: 'Leave it at the door' }],
        ['/ordered', {}],
      ],
    },
  },
  {
    name: 'say that it is sold out',
    topic: 'not possible',
    site: shop,
    turns: [
      {
        sentences: '',
        says: `Order one lantern at {site}, by "standard" delivery. ${toPerson}`,
        replies: [look(goHome), says('The lantern is sold out, so nothing was ordered.')],
        outcomes: saidImpossible,
        answer: /sold out/i,
      },
    ],
    ends: { visited: ['/'] },
    byHand: {
      right: [['/']],
      wrong: [
        ['/cart/kettle', {}],
        ['/address', person],
        ['/delivery', { delivery: 'standard', note: '' }],
        ['/ordered', {}],
      ],
      answer: 'It is sold out.',
    },
  },
];
