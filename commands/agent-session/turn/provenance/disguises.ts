import { folded, isCode, isTelling, squashed, unescaped, wordsIn } from './words.ts';

/** Decodings of a text that may reveal other words. Each is cheap; not every combination is tried. */
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

/** Bytes as text; empty if they are not text. */
function printable(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return /^[\P{C}\s]+$/u.test(text) && !text.includes('\ufffd') ? text : '';
}

/** Limits of repeated decoding. */
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

/** Differences between neighbouring letters, which are equal for words that differ by a Caesar shift. */
const shiftOf = (word: string): string | undefined =>
  /^[a-z]{6,}$/.test(word)
    ? Array.from(
        word,
        (_, at) => (word.charCodeAt(at) - word.charCodeAt(Math.max(0, at - 1)) + 26) % 26,
      ).join()
    : undefined;

/** A word that is recognizable inside other text: a code, or a long word. */
const standsOut = (word: string): boolean => word.length >= 8 || (word.length >= 4 && /\p{N}/u.test(word));

/** Whether one of the words is in a text in a form that has no other plausible purpose than to disguise it. */
export function disguises(text: string, words: ReadonlySet<string>): boolean {
  const outstanding = [...words].filter(standsOut);
  const shifts = new Set([...words].flatMap((word) => shiftOf(word) ?? []));
  return [...readingsOf(text)].some((reading, at) => {
    const parts = wordsIn(reading);
    const whole = squashed(reading);
    // In the text itself, words are judged separately.
    const isOfOthers = (part: string) =>
      (isTelling(part) && words.has(part)) || (part.length >= 5 && isPartOfCode(part, words));
    const isSaid = at > 0 && parts.some(isOfOthers);
    const isShifted = parts.some((part) => shifts.has(shiftOf(part) ?? ''));
    return isSaid || isShifted || outstanding.some((word) => whole.includes(word)) || joins(parts, words);
  });
}

/** Whether two to four consecutive parts together are one of the words. */
export const joins = (parts: readonly string[], words: ReadonlySet<string>): boolean =>
  parts.some((_, at) =>
    [2, 3, 4].some((count) => {
      const joined = parts.slice(at, at + count).join('');
      return joined.length >= 5 && at + count <= parts.length && words.has(joined);
    }),
  );

/** Whether one of the words spans the border of consecutive parts. Short words do not count, because that happens by chance. */
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

/** Whether a word, or its reverse, is a part of a code. */
export function isPartOfCode(part: string, words: ReadonlySet<string>): boolean {
  const backwards = Array.from(part).toReversed().join('');
  return [...words].some(
    (word) => word.length >= 6 && isCode(word) && (word.includes(part) || word.includes(backwards)),
  );
}
