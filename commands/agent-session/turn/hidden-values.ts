import type { Variables } from '../../../contracts/resources/variables.ts';
import { spansWithin, type Span } from './spans.ts';

/**
 * A value that is taken out of texts. What pages show by chance stays, so that they can still be read:
 *
 * | value | is found |
 * |---|---|
 * | fewer than three characters, or three letters | never |
 * | `word`: letters alone, up to 15, or up to four digits | as a whole word, as it is written; not where one page has it more than three times |
 * | `short`: anything else under eight characters | as a whole word, as it is written |
 * | `long`: all others | wherever it stands: in other case, with other blanks, percent-encoded, or the beginning of it where the text is cut off |
 */
export interface HiddenValue {
  readonly kind: 'word' | 'short' | 'long';
  /** As it may be written. */
  readonly forms: readonly string[];
}

/** Those of variables that were asked for before: a turn has them at each of its ends. */
const known = new WeakMap<Variables, readonly HiddenValue[]>();

/** Values in their forms, by what is done to find them. */
export function hiddenValues(variables: Variables | null): readonly HiddenValue[] {
  if (variables === null) return [];
  const values = known.get(variables) ?? formsOf(Object.values(variables));
  known.set(variables, values);
  return values;
}

function formsOf(variables: readonly Variables[string][]): readonly HiddenValue[] {
  const values = variables.filter(({ sensitive = true }) => sensitive).map(({ value }) => value);
  return [...new Set(values)].flatMap((value) => hiddenValue(value) ?? []);
}

/** Undefined for a value that every page has. */
export function hiddenValue(value: string): HiddenValue | undefined {
  const trimmed = value.trim();
  const length = Array.from(trimmed).length;
  const isLetters = /^[\p{L}\p{M}]+$/u.test(trimmed);
  if (length < 3 || (length === 3 && isLetters)) return undefined;
  if ((isLetters && length <= 15) || (/^\d+$/.test(trimmed) && length <= 4))
    return { kind: 'word', forms: normalForms(trimmed) };
  if (length < 8) return { kind: 'short', forms: normalForms(trimmed) };
  const written = normalForms(trimmed);
  const encoded = [encodeURIComponent(trimmed), new URLSearchParams({ '': trimmed }).toString().slice(1)];
  const quoted = JSON.stringify(trimmed).slice(1, -1);
  return { kind: 'long', forms: unique([...written, ...encoded, quoted].map(foldedText)) };
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
const normalForms = (text: string): readonly string[] =>
  unique([text, text.normalize('NFC'), text.normalize('NFD')]);

/** Where a text has any of the values. */
export function spansOf(values: readonly HiddenValue[], text: string): readonly Span[] {
  const words = values.filter(({ kind }) => kind !== 'long');
  const long = values.filter(({ kind }) => kind === 'long');
  const whole = words.flatMap(({ forms }) => wholeSpans(forms, text));
  if (long.length === 0) return whole;
  const { text: searched, at } = folded(text);
  const found = long.flatMap(({ forms }) => forms.flatMap((form) => longSpans(searched, form)));
  return [...whole, ...found.map(({ from, to }) => ({ from: at[from] ?? 0, to: (at[to - 1] ?? 0) + 1 }))];
}

/** How often one page may have a word that is hidden there: one that it has more often is the page's own. */
const mostHidden = 3;

/** The values that these texts, which are one page, may have; without words that they have too often. */
export function hiddenIn(values: readonly HiddenValue[], texts: readonly string[]): readonly HiddenValue[] {
  if (values.length === 0) return values;
  const page = foldedText(texts.join('\n'));
  return values.filter(({ kind, forms }) => {
    if (kind === 'long') return forms.some((form) => page.includes(beginningOf(form)));
    if (kind === 'short') return true;
    let left = mostHidden;
    return texts.every((text) => (left -= wholeSpans(forms, text).length) >= 0);
  });
}

const wholeSpans = (forms: readonly string[], text: string): readonly Span[] =>
  forms.flatMap((form) => spansWithin(text, form).filter(isWhole(text)));

const ofWord = /[\p{L}\p{M}\p{N}_]/u;
/** Scripts without blanks between words. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const goesOn = (character: string): boolean => ofWord.test(character) && !unspaced.test(character);

/** Whether no word goes on at either end. */
const isWhole =
  (text: string) =>
  ({ from, to }: Span): boolean => {
    const before = /.$/su.exec(text.slice(Math.max(0, from - 2), from))?.[0] ?? '';
    const after = /^./su.exec(text.slice(to, to + 2))?.[0] ?? '';
    const value = text.slice(from, to);
    const [first = '', last = ''] = [/^./su.exec(value)?.[0], /.$/su.exec(value)?.[0]];
    return !(goesOn(before) && goesOn(first)) && !(goesOn(after) && goesOn(last));
  };

/** Characters by which a value is looked for; from there on it is followed as far as it goes. */
const longestAnchor = 64;
/** Characters of a value that a text ends with, from which on it is one that is cut off. */
const shortestBeginning = 8;
const beginningOf = (form: string): string => form.slice(0, shortestBeginning);

function longSpans(text: string, form: string): readonly Span[] {
  // Nearly no text has any of it.
  if (!text.includes(beginningOf(form))) return [];
  const anchor = form.slice(0, longestAnchor);
  const found: Span[] = [];
  for (let from = text.indexOf(anchor); from !== -1; from = text.indexOf(anchor, found.at(-1)?.to))
    found.push({ from, to: from + agreement(text, from, form) });
  const most = Math.min(anchor.length - 1, text.length);
  for (let length = most; length >= shortestBeginning; length -= 1)
    if (text.endsWith(anchor.slice(0, length)))
      return [...found, { from: text.length - length, to: text.length }];
  return found;
}

/** Characters from a place on that the text and the value have in common. */
function agreement(text: string, from: number, form: string): number {
  let length = 0;
  while (length < form.length && text[from + length] === form[length]) length += 1;
  return length;
}

interface Folded {
  readonly text: string;
  /** By the place of each of its characters, the place of the one that it was made of. */
  readonly at: readonly number[];
}

/** As `folded` has it, without the places: fast, for values are long. */
const foldedText = (text: string): string => {
  const blanks = text.replace(/\s+/g, ' ');
  return /^[\0-\x7f]*$/.test(blanks)
    ? blanks.toLowerCase()
    : blanks.replace(/\p{Changes_When_Lowercased}/gu, lowerUnit);
};

/** In small letters, with a single blank for each run of them. */
function folded(text: string): Folded {
  const at: number[] = [];
  let units = '';
  let wasBlank = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = foldedUnit(text.charCodeAt(index), text.charAt(index));
    if (unit === ' ' && wasBlank) {
      at[at.length - 1] = index;
      continue;
    }
    wasBlank = unit === ' ';
    units += unit;
    at.push(index);
  }
  return { text: units, at };
}

function foldedUnit(code: number, unit: string): string {
  if (code < 128) {
    if (code === 32 || (code >= 9 && code <= 13)) return ' ';
    return code >= 65 && code <= 90 ? String.fromCharCode(code + 32) : unit;
  }
  return /\s/.test(unit) ? ' ' : lowerUnit(unit);
}

/** As it is where its small letter is longer, or it is two units itself: places are of units. */
function lowerUnit(unit: string): string {
  const lower = unit.toLowerCase();
  return unit.length === 1 && lower.length === 1 ? lower : unit;
}
