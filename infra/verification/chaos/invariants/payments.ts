import { decimalText, parseDecimal } from '../../../../contracts/decimal.ts';
import { field, type LogEvent } from '../evidence/index.ts';

/** An amount of the whole unit, written in one way. */
export const plainAmount = (text: string): string => {
  const decimal = parseDecimal(text);
  return decimal === undefined ? text : decimalText(decimal.units, decimal.exponent);
};

/** The amount that an event has in the smallest unit, written as a processor does. */
export const amountOf = (event: LogEvent, exponent = event.data.payExponent): string =>
  plainAmount(decimalText(field(event, 'amountPaid') || '0', Number(exponent)));

export const centsIn = (events: readonly LogEvent[], name: string): number =>
  events.reduce((sum, { data }) => sum + Number(data[name]), 0);
