import { expect } from 'chai';
import { longestProfileName } from '../../contracts/resources/profile.ts';
import { freeCopyName } from './clone.ts';

describe('the name of a copy', () => {
  it('is the first free one, whatever the case and the form of letters of the others', () => {
    expect(freeCopyName('Café', [])).to.equal('Café copy');
    const taken = ['Café', 'CAFÉ COPY', 'Café copy 2'.normalize('NFD'), 'Café copy 4'];
    expect(freeCopyName('Café', taken)).to.equal('Café copy 3');
  });

  it('is shortened to fit', () => {
    const long = 'x'.repeat(longestProfileName);
    const first = freeCopyName(long, []);
    expect(first)
      .to.have.length(longestProfileName)
      .and.match(/x copy$/);
    expect(freeCopyName(long, [first]))
      .to.have.length(longestProfileName)
      .and.match(/x copy 2$/);
  });

  it('is found by reading each name once, however many copies there are', () => {
    let reads = 0;
    function* names() {
      for (let copy = 1; copy <= 2000; copy += 1) {
        reads += 1;
        yield copy === 1 ? 'Shop copy' : `Shop copy ${copy}`;
      }
    }
    expect(freeCopyName('Shop', names())).to.equal('Shop copy 2001');
    expect(reads).to.equal(2000);
  });
});
