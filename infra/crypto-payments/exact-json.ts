/** A number of a JSON text with its original digits. */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type ExactJson =
  | null
  | boolean
  | string
  | JsonNumber
  | readonly ExactJson[]
  | { readonly [name: string]: ExactJson };

/** Maximum depth; payments are not nested deeper. */
const deepest = 32;
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON without converting numbers to floats: `3999.50`, `1e-8` and integers of any length keep their digits. For that,
 * each number becomes a string before parsing, and each string is marked as one. Throws `SyntaxError`.
 */
export function parseExactJson(text: string): ExactJson {
  JSON.parse(text);
  const marked = text.replace(token, (each) => (each.startsWith('"') ? `"s${each.slice(1)}` : `"n${each}"`));
  return unmarked(JSON.parse(marked), 0);
}

function unmarked(value: unknown, depth: number): ExactJson {
  if (depth > deepest) throw new SyntaxError('It is nested too deeply.');
  if (typeof value === 'string')
    return value.startsWith('n') ? new JsonNumber(value.slice(1)) : value.slice(1);
  if (Array.isArray(value)) return value.map((each) => unmarked(each, depth + 1));
  if (typeof value !== 'object' || value === null)
    return value === true ? true : value === false ? false : null;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name.slice(1), unmarked(each, depth + 1)]),
  );
}

/** The fields of an object; empty for any other value. */
export const fieldsOf = (value: ExactJson | undefined): Readonly<Record<string, ExactJson>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber)
    ? (value as Readonly<Record<string, ExactJson>>)
    : {};

/** The text of a string, or the digits of a number. Undefined for any other value, and for an empty string. */
export function textIn(value: ExactJson | undefined): string | undefined {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Serialises with sorted keys, and numbers formatted by `ofNumber`. */
export function sortedJson(value: ExactJson, ofNumber: (text: string) => string): string {
  if (value instanceof JsonNumber) return ofNumber(value.text);
  if (Array.isArray(value))
    return `[${value.map((each: ExactJson) => sortedJson(each, ofNumber)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(fieldsOf(value))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, each]) => `${JSON.stringify(name)}:${sortedJson(each, ofNumber)}`);
  return `{${members.join(',')}}`;
}
