import type { Variables } from '../../../contracts/resources/variables.ts';
import { spansWithin, type Span } from './spans.ts';

/**
 * A value that is masked in texts. Values that pages contain by chance are not, so that pages stay readable:
 *
 * | value | is found |
 * |---|---|
 * | fewer than three characters, or three letters | never |
 * | `word`: up to 15 letters, or up to four digits | as a whole word, exactly as spelled; not on a page with more than three |
 * | `short`: any other with fewer than eight characters | as a whole word, exactly as spelled |
 * | `long`: all others | anywhere, in any case, with any blanks, percent-encoded, or its beginning at the end of a text; with at least eight letters and digits also if these are grouped in another way |
 */
export interface HiddenValue {
  readonly kind: 'word' | 'short' | 'long';
  /** Its possible spellings. */
  readonly forms: readonly string[];
  /** The same without separators, if it is found however it is grouped. */
  readonly ungrouped?: readonly string[];
}

/** Cached, because a turn needs them for each of its texts. */
const known = new WeakMap<Variables, readonly HiddenValue[]>();

/** The sensitive values of variables, with their kinds and spellings. */
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

const lengthOf = (text: string): number => Array.from(text).length;
const isLetters = (text: string): boolean => /^[\p{L}\p{M}]+$/u.test(text);

/** Fewer than three characters, or three letters: most texts contain them by chance. The form of composed letters makes no difference. */
export function isTooShort(text: string): boolean {
  const composed = text.normalize('NFC');
  return lengthOf(composed) < (isLetters(composed) ? 4 : 3);
}

/** Undefined for a value that is too short to be hidden. */
function hiddenValue(value: string): HiddenValue | undefined {
  const trimmed = value.trim();
  if (isTooShort(trimmed)) return undefined;
  const length = lengthOf(trimmed);
  if ((isLetters(trimmed) && length <= 15) || (/^\d+$/.test(trimmed) && length <= 4))
    return { kind: 'word', forms: normalForms(trimmed) };
  if (length < 8) return { kind: 'short', forms: normalForms(trimmed) };
  const written = normalForms(trimmed);
  const encoded = [encodeURIComponent(trimmed), new URLSearchParams({ '': trimmed }).toString().slice(1)];
  const quoted = JSON.stringify(trimmed).slice(1, -1);
  const forms = unique([...written, ...encoded, quoted].map(foldedText));
  const isGroupable = (trimmed.match(/[\p{L}\p{N}]/gu) ?? []).length >= shortestBeginning;
  const ungrouped = isGroupable && { ungrouped: unique(written.map(foldedText).map(withoutSeparators)) };
  return { kind: 'long', forms, ...ungrouped };
}

/** Between the groups of a number or a code, in a folded text. */
const isSeparator = (unit: string): boolean => unit === ' ' || unit === '-' || unit === '.';
const withoutSeparators = (text: string): string => text.replace(/[ .-]+/g, '');

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
const normalForms = (text: string): readonly string[] =>
  unique([text, text.normalize('NFC'), text.normalize('NFD')]);

/** The spans of a text that contain any of the values. */
export function spansOf(values: readonly HiddenValue[], text: string): readonly Span[] {
  const words = values.filter(({ kind }) => kind !== 'long');
  const long = values.filter(({ kind }) => kind === 'long');
  const whole = words.flatMap(({ forms }) => wholeSpans(forms, text));
  if (long.length === 0) return whole;
  const written = folded(text);
  const joined = ungrouped(written);
  return [
    ...whole,
    ...long.flatMap(({ forms }) => forms.flatMap((form) => spansIn(written, form))),
    ...long.flatMap(({ ungrouped: forms = [] }) => forms.flatMap((form) => spansIn(joined, form))),
  ];
}

const spansIn = ({ text, at }: Folded, form: string): readonly Span[] =>
  longSpans(text, form).map(({ from, to }) => ({ from: at[from] ?? 0, to: (at[to - 1] ?? 0) + 1 }));

/** Maximal occurrences of a hidden word on a page: a more frequent word belongs to the page itself. */
const mostHidden = 3;

/** The values that may occur in these texts of one page, without words that are too frequent. */
export function hiddenIn(values: readonly HiddenValue[], texts: readonly string[]): readonly HiddenValue[] {
  if (values.length === 0) return values;
  const page = foldedText(texts.join('\n'));
  const joined = withoutSeparators(page);
  return values.filter(({ kind, forms, ungrouped: others = [] }) => {
    if (kind === 'long')
      return (
        forms.some((form) => page.includes(beginningOf(form))) ||
        others.some((form) => joined.includes(beginningOf(form)))
      );
    if (kind === 'short') return true;
    let left = mostHidden;
    return texts.every((text) => (left -= wholeSpans(forms, text).length) >= 0);
  });
}

const wholeSpans = (forms: readonly string[], text: string): readonly Span[] =>
  forms.flatMap((form) => spansWithin(text, form).filter(isWhole(text)));

const ofWord = /[\p{L}\p{M}\p{N}_]/u;
/** Scripts that do not separate words with blanks. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const goesOn = (character: string): boolean => ofWord.test(character) && !unspaced.test(character);

/** Whether the span is not part of a longer word. */
const isWhole =
  (text: string) =>
  ({ from, to }: Span): boolean => {
    const before = /.$/su.exec(text.slice(Math.max(0, from - 2), from))?.[0] ?? '';
    const after = /^./su.exec(text.slice(to, to + 2))?.[0] ?? '';
    const value = text.slice(from, to);
    const [first = '', last = ''] = [/^./su.exec(value)?.[0], /.$/su.exec(value)?.[0]];
    return !(goesOn(before) && goesOn(first)) && !(goesOn(after) && goesOn(last));
  };

/** Number of a value's first characters that are searched for; the match is then extended. */
const longestAnchor = 64;
/** Minimal length of a value's beginning at the end of a text that counts as cut off. */
const shortestBeginning = 8;
const beginningOf = (form: string): string => form.slice(0, shortestBeginning);

function longSpans(text: string, form: string): readonly Span[] {
  // A fast check, which excludes nearly every text.
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

/** Length of the common part of the text, from an index, and the value. */
function agreement(text: string, from: number, form: string): number {
  let length = 0;
  while (length < form.length && text[from + length] === form[length]) length += 1;
  return length;
}

interface Folded {
  readonly text: string;
  /** For each character, the index of its original. */
  readonly at: readonly number[];
}

/** The same text as `folded`, without indices: fast, because values can be long. */
const foldedText = (text: string): string => {
  const blanks = text.replace(/\s+/g, ' ');
  return /^[\0-\x7f]*$/.test(blanks)
    ? blanks.toLowerCase()
    : blanks.replace(/\p{Changes_When_Lowercased}/gu, lowerUnit);
};

/** Converts a text to lower case and collapses white space. */
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

/** A folded text without separators. */
function ungrouped({ text, at }: Folded): Folded {
  const kept = at.filter((_, index) => !isSeparator(text.charAt(index)));
  return { text: withoutSeparators(text), at: kept };
}

function foldedUnit(code: number, unit: string): string {
  if (code < 128) {
    if (code === 32 || (code >= 9 && code <= 13)) return ' ';
    return code >= 65 && code <= 90 ? String.fromCharCode(code + 32) : unit;
  }
  return /\s/.test(unit) ? ' ' : lowerUnit(unit);
}

/** Unchanged if the lower case has another length, or the character is a surrogate pair, because indices are of UTF-16 units. */
function lowerUnit(unit: string): string {
  const lower = unit.toLowerCase();
  return unit.length === 1 && lower.length === 1 ? lower : unit;
}
