import { refuse } from '../contracts/problems.ts';

/** What a calendar and Postgres both have; ISO 8601 allows more (year 0, leap seconds). */
const earliest = Date.UTC(1970, 0, 1);

/** A time of the query; null when it is not given. */
export function timeOf(name: string, text: string | undefined): Date | null {
  if (text === undefined) return null;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw refuse('bad-request', `\`${name}\` is not a time that a clock can show.`);
  return new Date(Math.max(time, earliest));
}
