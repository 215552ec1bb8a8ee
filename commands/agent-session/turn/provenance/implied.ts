import { dayMs } from '../../../../contracts/durations.ts';

const numerals =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const numbers: ReadonlyMap<string, string> = new Map(numerals.map((word, number) => [word, String(number)]));
const days = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');
const months = 'january february march april may june july august september october november december'.split(
  ' ',
);
/** Days from today. */
const relative: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tonight: 0, tomorrow: 1 };
/** Words that begin a date. */
const tellsDate: ReadonlySet<string> = new Set([...Object.keys(relative), ...days, ...months, 'next', 'in']);

/**
 * Words that a message implies: the digits of its numerals, and the parts of dates that it names relative to today (`tomorrow`, `on
 * Friday`, `in two weeks`) or by a month. English only.
 */
export function impliedBy(words: readonly string[], now: Date): ReadonlySet<string> {
  const digits = words.flatMap((word) => numbers.get(word) ?? []);
  const dates = words.flatMap((word, at) =>
    tellsDate.has(word) ? datesOf(word, words.slice(at + 1, at + 3), now) : [],
  );
  const written = words.flatMap(partsOfNumber);
  return new Set([...digits, ...written, ...dates.flatMap(partsOf)]);
}

/** A day or an hour with and without its leading zero. */
const partsOfNumber = (word: string): readonly string[] => {
  if (word.length > 5) return [];
  const [, number] = /^0?(\d{1,2})(?:st|nd|rd|th|am|pm)?$/.exec(word) ?? [];
  return number === undefined ? [] : [number, number.padStart(2, '0')];
};

function datesOf(word: string, next: readonly string[], now: Date): readonly Date[] {
  const away = relative[word];
  if (away !== undefined) return [daysAfter(now, away)];
  if (days.includes(word)) {
    const until = (days.indexOf(word) - now.getUTCDay() + 7) % 7;
    return [daysAfter(now, until), daysAfter(now, until + 7)];
  }
  if (months.includes(word)) {
    const year = now.getUTCFullYear();
    return [year, year + 1].map((each) => new Date(Date.UTC(each, months.indexOf(word), 1)));
  }
  if (word === 'next') return datesIn('1', next[0], now);
  return word === 'in' ? datesIn(next[0], next[1], now) : [];
}

const daysAfter = (date: Date, count: number): Date => new Date(date.getTime() + count * dayMs);
const lengths: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30 };

function datesIn(count: string | undefined, unit: string | undefined, now: Date): readonly Date[] {
  const many = Number(numbers.get(count ?? '') ?? count);
  const length = lengths[unit?.replace(/s$/, '') ?? ''];
  return length === undefined || !Number.isInteger(many) || many > 366 ? [] : [daysAfter(now, many * length)];
}

function partsOf(date: Date): readonly string[] {
  const [day, month] = [date.getUTCDate(), date.getUTCMonth()];
  const name = months[month] ?? '';
  const both = [day, month + 1].map(String).flatMap((part) => [part, part.padStart(2, '0')]);
  const year = String(date.getUTCFullYear());
  return [...both, year, year.slice(2), name, name.slice(0, 3), days[date.getUTCDay()] ?? ''];
}
