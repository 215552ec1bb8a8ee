import { invalid } from './problem.ts';

/** The range supported by Postgres and four-digit years. ISO 8601 with an offset can exceed it. */
const earliest = Date.UTC(1970, 0, 1);
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A client's time, clamped to the storable range, outside of which the service has no data. */
export function timeOf(path: string, text: string): Date {
  const time = Date.parse(text);
  // The format allows a leap second, which `Date` does not.
  if (Number.isNaN(time)) throw invalid({ path, code: 'format', message: 'is not a valid date-time' });
  return new Date(Math.min(Math.max(time, earliest), latest));
}
