import { coinExponent } from '../../../contracts/crypto-currencies.ts';
import { decimalText, parseDecimal, unitsIn } from '../../../contracts/decimal.ts';

/** US cents for one whole unit. */
const rates: Readonly<Record<string, bigint>> = {
  btc: 6_000_000n,
  eth: 300_000n,
  ltc: 8_000n,
  usdttrc20: 100n,
  usdterc20: 101n,
  // For amounts of more than 64 bits.
  shib: 1n,
};

/** Amounts with more decimals than the currency has, as the real processor gives some. */
const finer: Readonly<Partial<Record<string, number>>> = { usdterc20: 8 };

/** The amount of a price, rounded up; undefined for an unknown currency or an invalid price. */
export function amountFor(price: string, currency: string): string | undefined {
  const rate = Object.hasOwn(rates, currency) ? rates[currency] : undefined;
  const decimal = parseDecimal(price);
  if (rate === undefined || decimal === undefined) return undefined;
  const exponent = finer[currency] ?? coinExponent(currency);
  const units = (unitsIn(decimal, 2) * 10n ** BigInt(exponent) + rate - 1n) / rate;
  return decimalText(units, exponent);
}
