import type { KeyList } from '../platform/key-list.ts';

/**
 * What hashes and names are keyed with. What is new is made with the first of those in use, and what any of them made is good. One
 * that is retired proves nothing any more, no link and no token, but what was hashed with it, which is secret itself, goes
 * on being recognised.
 */
export interface Peppers {
  readonly newest: string;
  /** What links and tokens are made with that are good. */
  readonly inUse: readonly string[];
  /** What the hashes of secrets may have been made with; those in use first. */
  readonly known: KeyList<string>;
  /** What streams are named with, for good: under another name an address would be free a second time. */
  readonly naming: string;
}

/** `naming` is the one pepper that there was when the record began. */
export function createPeppers(inUse: KeyList<string>, retired: readonly string[], naming: string): Peppers {
  return { newest: inUse[0], inUse, known: [...inUse, ...retired], naming };
}

/** Before there is a second one. */
export const onlyPepper = (pepper: string): Peppers => createPeppers([pepper], [], pepper);

/** What each pepper makes of something, the newest first. */
export function byEach<Made>(
  { known: [newest, ...others] }: Pick<Peppers, 'known'>,
  make: (pepper: string) => Made,
): KeyList<Made> {
  return [make(newest), ...others.map(make)];
}
