import { isUtf8 } from 'node:buffer';

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

const percent = '%'.charCodeAt(0);
/** Added to a decoded byte that is only a part of a character. */
const ofByte = 0x1_00_00;

/**
 * Percent-decodes a text until nothing is encoded, however many times it was encoded. In one pass, since pages can encode a text thousands of
 * times: a decoded character may complete an encoding that begins before it.
 */
export function unescaped(text: string): string {
  if (!/%[\da-f]{2}/i.test(text)) return text;
  const units = new Uint32Array(text.length);
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    units[length] = text.charCodeAt(index);
    length += 1;
    for (let byte = byteAt(units, length); byte !== undefined; byte = byteAt(units, length)) {
      length -= 2;
      units[length - 1] = byte < 128 ? byte : ofByte + byte;
    }
  }
  return textOf(units.subarray(0, length));
}

/** The byte that the last three units encode; undefined if they encode none. */
function byteAt(units: Uint32Array, length: number): number | undefined {
  if (length < 3 || units[length - 3] !== percent) return undefined;
  const digits = String.fromCharCode(units[length - 2] ?? 0, units[length - 1] ?? 0);
  return /^[\da-f]{2}$/i.test(digits) ? parseInt(digits, 16) : undefined;
}

/** Bytes are UTF-8 where they can be. */
function textOf(units: Uint32Array): string {
  let text = '';
  for (let at = 0; at < units.length;) {
    const unit = units[at] ?? 0;
    let end = at + 1;
    if (unit < ofByte) text += String.fromCharCode(unit);
    else {
      while ((units[end] ?? 0) >= ofByte) end += 1;
      const bytes = Buffer.from([...units.subarray(at, end)].map((each) => each - ofByte));
      text += bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
    }
    at = end;
  }
  return text;
}
