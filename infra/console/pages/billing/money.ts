/** An amount in the smallest unit of a currency with two decimals. */
export const money = (cents: number, currency: string): string =>
  (cents / 100).toLocaleString(undefined, { style: 'currency', currency: currency.toUpperCase() });
