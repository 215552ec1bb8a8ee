import type { TSchema } from '../../contracts/schema.ts';

export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
}

const maxNames = 10;
const maxCharacters = 64;

/** The top-level fields declared by a body's schema; empty without a schema. */
export const declaredFields = (schema: TSchema | undefined): ReadonlySet<string> =>
  new Set(
    schema !== undefined && 'properties' in schema && typeof schema.properties === 'object'
      ? Object.keys({ ...schema.properties })
      : [],
  );

/**
 * The value of `x-service-unknown-fields`; undefined if every field is known (the contract's Versioning, 5). Names are
 * percent-encoded, so that no name can break the header or add one.
 */
export function unknownFields({ text, value }: JsonBody, declared: ReadonlySet<string>): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  if (Object.keys(value).every((key) => declared.has(key))) return undefined;
  const ignored = new Set(topLevelKeys(text).filter((key) => !declared.has(key)));
  return [...ignored].slice(0, maxNames).map(encodeName).join(',');
}

/** Cut by code points: half of a surrogate pair cannot be encoded, and one that was sent becomes U+FFFD. */
const encodeName = (name: string) =>
  encodeURIComponent(Array.from(name.toWellFormed()).slice(0, maxCharacters).join(''));

/** A string, with the colon that makes it a key, or a bracket. Unambiguous, so there is no backtracking. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[[\]{}]/gs;

/** The keys in the order of the text; a parsed object has array-like keys first. */
function topLevelKeys(json: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const [token, text, colon] of json.matchAll(tokens)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === 1 && colon !== undefined) keys.push(String(JSON.parse(text ?? token)));
  }
  return keys;
}
