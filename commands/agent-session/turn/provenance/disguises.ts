import { folded, isCode, isTelling, squashed, unescaped, wordsIn } from './words.ts';

/** Readings of a text in which other words may show. Each is cheap, and none is looked for in all of the others. */
const readings: readonly ((text: string) => readonly string[])[] = [
  (text) => [unescaped(text)],
  (text) => [entitiesOf(text)],
  (text) => [
    text.replace(/\\(?:u\{?|x)([\da-f]{2,6})\}?/gi, (_, hex: string) => character(parseInt(hex, 16))),
  ],
  (text) => (text.match(/[A-Za-z0-9+/_-]{4,}/g) ?? []).map((run) => printable(Buffer.from(run, 'base64'))),
  (text) => [printable(Buffer.from(text.replace(/\s+/g, ''), 'base64'))],
  (text) =>
    (text.match(/(?:[\da-f]{2}[\s:,.-]?){3,}/gi) ?? []).map((run) =>
      printable(Buffer.from(run.replace(/[^\da-f]/gi, ''), 'hex')),
    ),
  (text) => (text.match(/(?:\b\d{2,3}\b[\s,;.-]?){3,}/g) ?? []).map(codesOf),
  (text) => [Array.from(text).toReversed().join('')],
  (text) => [folded(text).replace(/[0134578@$]/g, (digit) => leet[digit] ?? digit)],
];

const leet: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's' },
};
const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');
const codesOf = (run: string): string =>
  (run.match(/\d+/g) ?? []).map((code) => character(Number(code))).join('');
const entitiesOf = (text: string): string =>
  text.replace(/&#(x[\da-f]{1,6}|\d{1,7});/gi, (_, code: string) =>
    character(/^x/i.test(code) ? parseInt(code.slice(1), 16) : Number(code)),
  );

/** Bytes as a text; empty where they are none. */
function printable(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return /^[\P{C}\s]+$/u.test(text) && !text.includes('\ufffd') ? text : '';
}

/** Readings of readings, as far as these are looked into. */
const most = { depth: 3, texts: 60, characters: 20_000 } as const;

function readingsOf(text: string): ReadonlySet<string> {
  const all = new Set([text.slice(0, most.characters)]);
  let newest = [...all];
  for (let depth = 0; depth < most.depth && all.size < most.texts; depth += 1) {
    newest = newest
      .flatMap((each) => readings.flatMap((read) => read(each)))
      .filter((each) => each !== '' && !all.has(each));
    for (const each of newest.slice(0, most.texts - all.size)) all.add(each);
  }
  return all;
}

/** What is the same of words whose letters are moved along the alphabet by some distance. */
const shiftOf = (word: string): string | undefined =>
  /^[a-z]{6,}$/.test(word)
    ? Array.from(
        word,
        (_, at) => (word.charCodeAt(at) - word.charCodeAt(Math.max(0, at - 1)) + 26) % 26,
      ).join()
    : undefined;

/** A word that stands out wherever it stands: a code, or a long one. */
const standsOut = (word: string): boolean => word.length >= 8 || (word.length >= 4 && /\p{N}/u.test(word));

/** Whether one of the words is in a text in a way in which nobody would write it who meant something else. */
export function disguises(text: string, words: ReadonlySet<string>): boolean {
  const outstanding = [...words].filter(standsOut);
  const shifts = new Set([...words].flatMap((word) => shiftOf(word) ?? []));
  return [...readingsOf(text)].some((reading, at) => {
    const parts = wordsIn(reading);
    const whole = squashed(reading);
    // Of the text itself, words are judged one by one.
    const isOfOthers = (part: string) =>
      (isTelling(part) && words.has(part)) || (part.length >= 5 && isPartOfCode(part, words));
    const isSaid = at > 0 && parts.some(isOfOthers);
    const isShifted = parts.some((part) => shifts.has(shiftOf(part) ?? ''));
    return isSaid || isShifted || outstanding.some((word) => whole.includes(word)) || joins(parts, words);
  });
}

/** Whether two to four parts make one of the words. */
export const joins = (parts: readonly string[], words: ReadonlySet<string>): boolean =>
  parts.some((_, at) =>
    [2, 3, 4].some((count) => {
      const joined = parts.slice(at, at + count).join('');
      return joined.length >= 5 && at + count <= parts.length && words.has(joined);
    }),
  );

/** Whether one of the words stands across the ends of parts that follow one another; of short ones that would be no wonder. */
export function isSpread(parts: readonly string[], words: ReadonlySet<string>): boolean {
  const whole = parts.join('');
  let end = 0;
  const ends = parts.map((part) => (end += part.length));
  return [...words].some((word) => {
    if (word.length < 6 && !isCode(word)) return false;
    for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, at + 1)) {
      const [from, to] = [at, at + word.length];
      if (ends.some((each) => each > from && each < to)) return true;
    }
    return false;
  });
}

/** Whether a word, or the word backwards, is a part of a code. */
export function isPartOfCode(part: string, words: ReadonlySet<string>): boolean {
  const backwards = Array.from(part).toReversed().join('');
  return [...words].some(
    (word) => word.length >= 6 && isCode(word) && (word.includes(part) || word.includes(backwards)),
  );
}
