import { bounds } from './bounds.ts';

/** A participant's attributes after a change; an empty value removes one. Undefined if they exceed the bounds. */
export function attributesFrom(
  before: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  const { most, name: longestName, value: longestValue } = bounds.attributes;
  const entries = Object.entries({ ...before, ...given }).filter(([, value]) => value !== '');
  const fits = entries.every(([name, value]) => name.length <= longestName && value.length <= longestValue);
  return fits && entries.length <= most ? Object.fromEntries(entries) : undefined;
}
