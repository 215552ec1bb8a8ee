import type { KeyList } from '../platform/key-list.ts';

/**
 * Keys of hashes and names. New values use the first one in use; links and tokens of any in use are valid. Links and tokens of a
 * retired one are invalid, but hashes of secrets made with it are still recognised.
 */
export interface Peppers {
  readonly newest: string;
  /** Peppers of valid links and tokens. */
  readonly inUse: readonly string[];
  /** Peppers of stored hashes of secrets, those in use first. */
  readonly known: KeyList<string>;
  /** The pepper of streams' names; it never changes, because under another name an address would be free again. */
  readonly naming: string;
}

/** `naming`: the first pepper of the installation. */
export function createPeppers(inUse: KeyList<string>, retired: readonly string[], naming: string): Peppers {
  return { newest: inUse[0], inUse, known: [...inUse, ...retired], naming };
}

/** For an installation with one pepper. */
export const onlyPepper = (pepper: string): Peppers => createPeppers([pepper], [], pepper);

/** Applies a function to each pepper, newest first. */
export function byEach<Made>(
  { known: [newest, ...others] }: Pick<Peppers, 'known'>,
  make: (pepper: string) => Made,
): KeyList<Made> {
  return [make(newest), ...others.map(make)];
}
