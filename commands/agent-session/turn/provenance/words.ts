/** Normalizes a text for comparison: no differences of case, width and accents. */
export const folded = (text: string): string =>
  /^[\0-\x7f]*$/.test(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFKC').toLowerCase();

const longestWord = 100;

/** Words and numbers of a text, in order. */
export const wordsIn = (text: string): string[] =>
  (folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, longestWord));

/** The letters and digits of the folded text. */
export const squashed = (text: string): string => folded(text).replace(/[^\p{L}\p{N}]+/gu, '');

const endings = 'ings ing ers est er ed en es ly al e n s d r'.split(' ');

/** The common part of a word's forms. The endings are a closed list, so that they cannot carry data. */
export function stemOf(word: string): string {
  const single = word.replace(/ies$/, 'y');
  const ending = endings.find((each) => single.endsWith(each) && single.length - each.length >= 3);
  return ending === undefined ? single : single.slice(0, -ending.length);
}

/** Whether a word is distinctive: at least three characters with a digit, or four without. */
export const isTelling = (word: string): boolean => word.length >= (/\p{N}/u.test(word) ? 3 : 4);

/** Whether a word has a digit and is too long for a quantity. */
export const isCode = (word: string): boolean => word.length >= 3 && /\p{N}/u.test(word);

/** Percent-decodes a text, repeatedly until nothing is encoded. */
export function unescaped(text: string): string {
  const once = text.replace(/(?:%[\da-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return Buffer.from(run.replaceAll('%', ''), 'hex').toString('latin1');
    }
  });
  return once === text ? text : unescaped(once);
}
