import { bounds } from './bounds.ts';

/** What a participant says of itself after a change; an empty value takes one away. Undefined where that is more than it may say. */
export function attributesFrom(
  before: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  const { most, name: longestName, value: longestValue } = bounds.attributes;
  const entries = Object.entries({ ...before, ...given }).filter(([, value]) => value !== '');
  const fits = entries.every(([name, value]) => name.length <= longestName && value.length <= longestValue);
  return fits && entries.length <= most ? Object.fromEntries(entries) : undefined;
}
