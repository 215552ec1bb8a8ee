import { expect } from 'chai';
import { Provenance } from './index.ts';
import { digests, heldOf, mayGo, pageOf, someday, type } from './testing.ts';
import { unescaped } from './words.ts';

/** A value of maximal length, with some hundred hosts in it. */
const longValue = (seed: number): string =>
  Array.from({ length: 600 }, (_, at) => `w${seed * at}x shop${(seed * 31 + at) % 997}.example`)
    .join(' ')
    .slice(0, 10_000);

describe('the text by which a turn is judged', () => {
  const shop = pageOf('https://shop.test/', 'Customer number: C-7741');
  const other = pageOf('https://other.test/', 'Search our shop');
  const longest = [
    ['many words and hosts', longValue],
    ['one word', (seed: number) => `${'x'.repeat(9_990)}${seed}`],
    ['one word with a dot', (seed: number) => `${'x'.repeat(9_980)}.${seed}x`],
    ['dots', () => 'a.'.repeat(5_000)],
  ] as const;
  for (const [what, valueOf] of longest)
    it(`is parsed quickly with fifty variables of ten thousand characters each: ${what}`, () => {
      const values = Array.from({ length: 50 }, (_, index) => [`v${index}`, { value: valueOf(index + 1) }]);
      const before = process.cpuUsage();
      const turn = new Provenance('Enter it', digests, {
        variables: Object.fromEntries(values) as Record<string, { value: string }>,
      });
      turn.begin([], someday);
      for (const page of [shop, other]) turn.see(page);
      expect(mayGo(turn, type('Search our shop'), 'other.test')).to.equal(true);
      expect(heldOf(turn, type('C-7741'))).to.have.length(1);
      expect(process.cpuUsage(before).user).to.be.below(1_000_000);
    });
});

describe('a text that a page has encoded thousands of times', () => {
  const chain = (length: number): string => `%${'25'.repeat(length / 2)}`;

  it('is decoded completely, whatever was encoded', () => {
    expect(unescaped(`${chain(40_000)}41`)).to.equal('A');
    expect(unescaped(`${'%'.repeat(9_000)}${'3'.repeat(9_001)}`)).to.equal('3');
    expect(unescaped('%C3%A9 %25C3%25A9 %FF 100% %4')).to.equal('é é ÿ 100% %4');
  });

  it('holds nobody up', () => {
    const links = Array.from({ length: 600 }, (_, at) => `https://shop.test/${at}/${chain(3_900)}`);
    const voices = Array.from({ length: 60 }, (_, at) => ({
      url: `https://a${at}.test/`,
      said: chain(50_000),
    }));
    const before = process.cpuUsage();
    const turn = new Provenance('Read it', digests);
    turn.begin([], someday);
    turn.see(pageOf('https://shop.test/', chain(12_000), { links, voices }));
    expect(process.cpuUsage(before).user).to.be.below(3_000_000);
  });
});

describe('a long text after a page with 150,000 words', () => {
  const words = (link: number) =>
    Array.from({ length: 250 }, (_, at) => `x${(link * 250 + at).toString(36)}x`);
  const links = Array.from({ length: 600 }, (_, link) => `https://other.test/${words(link).join('-')}`);
  for (const [what, text] of [
    ['of letters that the user has said', 'c b a '.repeat(1_300)],
    ['of words that nobody has said', Array.from({ length: 1_500 }, (_, at) => `made${at}`).join(' ')],
  ] as const)
    it(`needs approval, and holds nobody up: one ${what}`, () => {
      const turn = new Provenance('Type a, b and c into the notes at shop.test', digests);
      turn.begin([], someday);
      turn.see(pageOf('https://other.test/', '', { links }));
      turn.see(pageOf('https://shop.test/', ''));
      const before = process.cpuUsage();
      expect(heldOf(turn, type(text))).to.have.length(1);
      expect(process.cpuUsage(before).user).to.be.below(3_000_000);
    });
});
