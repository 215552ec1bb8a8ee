import { dayMs } from '../../contracts/durations.ts';

const name = '[A-Za-z0-9][A-Za-z0-9_-]{0,199}';
const form = new RegExp(`^${name}(/${name}){0,3}$`);

/** Keys are names joined by `/`, valid as paths in a directory and in a URL without encoding. */
export function assertKey(key: string): void {
  if (!form.test(key)) throw new Error('It is no key of a blob.');
}

export const isKey = (key: string): boolean => form.test(key);

/** Age since the last byte after which an unfinished upload counts as abandoned. */
export const abandonedAfterMs = dayMs;
