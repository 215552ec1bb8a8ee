import type { PageObservation } from '../../../contracts/client/index.ts';

type Element = PageObservation['elements'][number];

/** An observation of a page for tests. */
export const pageWith = (parts: Partial<PageObservation> = {}): PageObservation => ({
  ...{ url: 'https://shop.example/', title: 'A shop', headings: [], text: '', cut: false, dialog: null },
  scroll: { y: 0, height: 844, view: 844 },
  elements: [],
  ...parts,
});

export const element = (n: number, parts: Partial<Element> = {}): Element => ({
  ...{ ref: `e${n}`, role: 'button', name: `Button ${n}`, in_view: true },
  ...parts,
});

export const elements = (count: number, parts: Partial<Element> = {}): Element[] =>
  Array.from({ length: count }, (_, n) => element(n + 1, parts));

/** A typical page: forty links and buttons, a few fields, and a screen of text. */
export const usualPage = (): PageObservation =>
  pageWith({
    title: 'Garden chairs - The shop for outdoor furniture',
    url: 'https://shop.example/category/garden/chairs?sort=price&page=2',
    elements: [
      ...elements(32, { role: 'link', name: 'Folding chair Lyon, oak' }),
      element(33, { role: 'searchbox', name: 'Search', value: 'chairs', states: ['focused'] }),
      element(34, {
        role: 'combobox',
        name: 'Sort by',
        value: 'Price',
        options: ['Price', 'Name', 'Newest'],
      }),
      ...elements(6, { name: 'Add to cart', in_view: false }).map((each, n) => ({
        ...each,
        ref: `e${40 + n}`,
      })),
    ],
    text: Array.from({ length: 40 }, (_, n) => `Folding chair Lyon ${n}, oak, 49.90 EUR, in stock`).join(
      '\n',
    ),
  });
