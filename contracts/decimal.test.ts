import { expect } from 'chai';
import { exponentOf } from './decimal.ts';

describe('the decimal places of an amount', () => {
  for (const [places, currencies] of [
    [2, ['usd', 'EUR', 'huf', 'idr', 'cop', 'isk', 'ugx']],
    [0, ['jpy', 'KRW', 'mga']],
    [3, ['kwd', 'BHD']],
  ] as const)
    for (const currency of currencies)
      it(`are ${places} in the card processor’s unit of ${currency}`, () =>
        expect(exponentOf(currency)).to.equal(places));
});
