/** An exact non-negative decimal: `units` × 10^-`exponent`. It is never converted to a float. */
export interface Decimal {
  readonly units: bigint;
  readonly exponent: number;
}

/** Maximum length: longer texts are not amounts. */
const mostDigits = 100;
const shape = /^(\d{1,100})(?:\.(\d{1,100}))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Parses a number written as JSON or by people: `3999.50`, `1e-8`, `100000000000000000001`. Undefined if the text is not a
 * number.
 */
export function parseDecimal(text: string): Decimal | undefined {
  const [, whole, fraction = '', power = '0'] = shape.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const exponent = fraction.length - Number(power);
  if (Math.abs(exponent) > mostDigits) return undefined;
  const digits = BigInt(whole + fraction);
  return exponent < 0 ? { units: digits * tenTo(-exponent), exponent: 0 } : shortened(digits, exponent);
}

function shortened(digits: bigint, decimals: number): Decimal {
  let [units, exponent] = [digits, decimals];
  while (exponent > 0 && units % 10n === 0n) [units, exponent] = [units / 10n, exponent - 1];
  return { units, exponent };
}

const tenTo = (power: number): bigint => 10n ** BigInt(power);

/** The number in units of 10^-`exponent`, rounded down. */
export const unitsIn = ({ units, exponent: own }: Decimal, exponent: number): bigint =>
  own <= exponent ? units * tenTo(exponent - own) : units / tenTo(own - exponent);

/** The same, rounded up. */
export function unitsCovering({ units, exponent: own }: Decimal, exponent: number): bigint {
  const spare = own <= exponent ? 0n : tenTo(own - exponent) - 1n;
  return unitsIn({ units: units + spare, exponent: own }, exponent);
}

/** Whether one number is not less than another, both as texts; false if one of them is no number. */
export function isAtLeast(one: string, other: string): boolean {
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  if (a === undefined || b === undefined) return false;
  const exponent = Math.max(a.exponent, b.exponent);
  return unitsIn(a, exponent) >= unitsIn(b, exponent);
}

/*
 * Currencies that the card processor does not count in hundredths (docs.stripe.com/currencies). ISO 4217 and CLDR differ: the processor
 * counts forints and rupiahs in hundredths, and also ISK and UGX, of which it charges whole ones only.
 */
const withoutDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '));
const withThreeDecimals = new Set('bhd jod kwd omr tnd'.split(' '));

/** Decimal places of an amount in the card processor's smallest unit of a currency: 2 of `usd`, 0 of `jpy`. */
export function exponentOf(currency: string): number {
  const code = currency.toLowerCase();
  if (withoutDecimals.has(code)) return 0;
  return withThreeDecimals.has(code) ? 3 : 2;
}

/** Formats units: `1050` with the exponent 3 is `1.05`. */
export function decimalText(units: bigint | string, exponent: number): string {
  const digits = String(units).padStart(exponent + 1, '0');
  const [whole, fraction] = [
    digits.slice(0, digits.length - exponent),
    digits.slice(digits.length - exponent),
  ];
  const shown = fraction.replace(/0+$/, '');
  return shown === '' ? whole : `${whole}.${shown}`;
}
