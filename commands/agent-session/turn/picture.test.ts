import { expect } from 'chai';
import type { Observation } from '../../../contracts/resources/observation.ts';
import { hasNothingToRead } from './picture.ts';

const page = (changes: Partial<Observation> = {}): Observation => ({
  ...{ url: 'https://shop.example/', title: 'Shop', scroll: { y: 0, height: 844, view: 844 } },
  ...{ elements: [], headings: [], text: ' \n', cut: false, dialog: null },
  ...changes,
});
const element = { ref: 'e1', role: 'link', name: '', in_view: true };

describe('a page with nothing to read', () => {
  it('has a canvas, or images without names', () => {
    expect(hasNothingToRead(page())).to.equal(true);
    expect(hasNothingToRead(page({ elements: [element] }))).to.equal(true);
  });

  it('has no text, heading or dialog, and nothing with a name or a value', () => {
    const others: readonly Partial<Observation>[] = [
      { text: 'Hello' },
      { headings: ['Hello'] },
      { dialog: 'Hello' },
      { elements: [{ ...element, name: 'Hello' }] },
      { elements: [{ ...element, value: 'Hello' }] },
    ];
    for (const each of others) expect(hasNothingToRead(page(each)), JSON.stringify(each)).to.equal(false);
  });
});
