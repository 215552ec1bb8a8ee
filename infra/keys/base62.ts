import { randomDigits } from './random-digits.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(digits.length);
const valueOf = new Map(Array.from(digits, (digit, value) => [digit, BigInt(value)]));

/** Base-62, most significant digit first, padded with zeros to `width`. */
export function toBase62(value: bigint, width: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= base) text = digits.charAt(Number(rest % base)) + text;
  return text.padStart(width, '0');
}

/** Undefined if a character is not a base-62 digit. */
export function fromBase62(text: string): bigint | undefined {
  let value = 0n;
  for (const character of text) {
    const digit = valueOf.get(character);
    if (digit === undefined) return undefined;
    value = value * base + digit;
  }
  return value;
}

/** Unbiased random digits, 5.95 bits each. */
export const randomBase62 = (length: number): string => randomDigits(digits, length);
