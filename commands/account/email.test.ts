import { expect } from 'chai';
import { addressOf } from './email.ts';

describe('the form in which addresses are compared', () => {
  /** Of each letter of Unicode that has another case or form, alone and with a mark, in all its forms. */
  const spellings = Array.from({ length: 0x2200 }, (_, code) => String.fromCharCode(code))
    .filter((letter) => /\p{L}/u.test(letter))
    .flatMap((letter) => ['', '\u0307', '\u030c', '\u0323\u0307'].map((marks) => letter + marks))
    .map((letter) => ` a${letter}b@example.com `);

  it('is that of itself', () => {
    for (const spelling of spellings)
      expect(addressOf(addressOf(spelling)), spelling).to.equal(addressOf(spelling));
  });

  it('is the same whether letters are composed or not, and for the lower case', () => {
    for (const spelling of spellings)
      for (const other of [spelling.normalize('NFD'), spelling.normalize('NFC'), spelling.toLowerCase()])
        expect(addressOf(other), spelling).to.equal(addressOf(spelling));
  });
});
