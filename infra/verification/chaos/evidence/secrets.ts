import type { Canary } from './types.ts';

/** Secrets of one kind share a prefix: text without any prefix need not be searched for hundreds of secrets, nor be kept. */
const STEM = 7;

export const stemsOf = (canaries: readonly Canary[]): readonly string[] => [
  ...new Set(canaries.map(({ text }) => text.slice(0, STEM))),
];

export const isSuspect = (text: string, stems: readonly string[]): boolean =>
  stems.some((stem) => text.includes(stem));
