import { randomInt } from 'node:crypto';

/** Unbiased random digits of an alphabet. */
export const randomDigits = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
