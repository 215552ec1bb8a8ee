import { expect } from 'chai';
import { moneyText } from '../../console/parts/amounts.ts';

describe('an amount of money in the console', () => {
  for (const [cents, currency, amount, digits] of [
    [900, 'usd', 9, 2],
    [5, 'EUR', 0.05, 2],
    [900, 'jpy', 900, 0],
    [9000, 'kwd', 9, 3],
    [360_050, 'huf', 3600.5, 2],
    [500, 'isk', 5, 2],
  ] as const)
    it(`is ${amount} for ${cents} of ${currency}`, () => {
      const shown = { minimumFractionDigits: digits, maximumFractionDigits: digits };
      expect(moneyText(cents, currency)).to.equal(
        amount.toLocaleString(undefined, { style: 'currency', currency, ...shown }),
      );
    });
});
