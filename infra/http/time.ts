import { invalid } from './problem.ts';

/** The range that both Postgres and a year of four digits can express. ISO 8601, or an offset at the rim, goes beyond it. */
const earliest = Date.UTC(1970, 0, 1);
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A time that a client names, moved into the range that can be stored; nothing of ours happens outside it. */
export function timeOf(path: string, text: string): Date {
  const time = Date.parse(text);
  // The format allows a leap second, which no clock of ours can show.
  if (Number.isNaN(time)) throw invalid({ path, code: 'format', message: 'is not a valid date-time' });
  return new Date(Math.min(Math.max(time, earliest), latest));
}
