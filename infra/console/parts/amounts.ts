/** An amount in the smallest unit of a currency with two decimals. */
export const moneyText = (cents: number, currency = 'USD'): string =>
  (cents / 100).toLocaleString(undefined, { style: 'currency', currency: currency.toUpperCase() });

export const bytesText = (bytes: number): string =>
  (bytes / 2 ** 20).toLocaleString(undefined, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 });
