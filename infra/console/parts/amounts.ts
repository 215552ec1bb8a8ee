import type { Quote } from '../../../contracts/client/index.ts';
import { sendable } from '../../../contracts/crypto-currencies.ts';
import { decimalText, exponentOf } from '../../../contracts/decimal.ts';

/** An amount in the card processor's smallest unit of a currency. */
export function moneyText(cents: number, currency = 'USD'): string {
  const digits = exponentOf(currency);
  return (cents / 10 ** digits).toLocaleString(undefined, {
    ...{ style: 'currency', currency },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  });
}

type PaidIn = Pick<Quote, 'pay_exponent' | 'pay_currency'>;

/** An amount in the smallest unit of a crypto currency, as wallets show it: `0.00081667 BTC`. */
export const coinsText = (
  units: string,
  { pay_exponent: exponent, pay_currency: currency }: PaidIn,
): string => `${decimalText(units, exponent)} ${currency.toUpperCase()}`;

/** An amount to send, with the decimals that a wallet takes: that of the payment's URI and QR code. */
export function dueText(dueUnits: string, { pay_exponent, pay_currency }: PaidIn): string {
  const { units, exponent } = sendable(pay_currency, { units: BigInt(dueUnits), exponent: pay_exponent });
  return coinsText(String(units), { pay_exponent: exponent, pay_currency });
}

export const bytesText = (bytes: number): string =>
  (bytes / 2 ** 20).toLocaleString(undefined, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 });
