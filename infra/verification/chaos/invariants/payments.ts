import { decimalText, parseDecimal } from '../../../../contracts/decimal.ts';
import { field, type LogEvent } from '../evidence/index.ts';

/** An amount in whole units, in canonical notation. */
export const plainAmount = (text: string): string => {
  const decimal = parseDecimal(text);
  return decimal === undefined ? text : decimalText(decimal.units, decimal.exponent);
};

/** An event's amount in the smallest unit, in a processor's notation. */
export const amountOf = (event: LogEvent, exponent = event.data.payExponent): string =>
  plainAmount(decimalText(field(event, 'amountPaid') || '0', Number(exponent)));

export const centsIn = (events: readonly LogEvent[], name: string): number =>
  events.reduce((sum, { data }) => sum + Number(data[name]), 0);
