import { expect } from 'chai';
import { moneyText } from '../../console/parts/amounts.ts';

describe('an amount of money in the console', () => {
  for (const [cents, currency, amount] of [
    [900, 'usd', 9],
    [5, 'EUR', 0.05],
    [900, 'jpy', 900],
    [9000, 'kwd', 9],
  ] as const)
    it(`is ${amount} for ${cents} of ${currency}`, () => {
      expect(moneyText(cents, currency)).to.equal(
        amount.toLocaleString(undefined, { style: 'currency', currency }),
      );
    });
});
