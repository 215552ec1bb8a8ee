import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Locations of tests; paths are relative to the project's root and use `/`. */
export const folders = ['contracts', 'domain', 'commands', 'projections', 'read-api', 'write-api', 'infra'];

export function testFilesIn(root: string): readonly string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        join(folder, path),
      ),
    )
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
}

/**
 * A file that takes more time or rights than a whole run has. It runs only if a word is the beginning of its name, not
 * as part of a folder. If a word is the whole name, or its first words, it selects such files only: `hosts` is also in
 * the paths of others.
 */
export const isOnlyNamed = (file: string): boolean => file.endsWith('.named.test.ts');

export interface Selection {
  readonly files: readonly string[];
  /** Words that match no test; a misspelt one must not pass for a tested one. */
  readonly unmatched: readonly string[];
}

/** The union of each word's matches: a file, everything below a folder, or every path that contains the word. */
export function select(files: readonly string[], words: readonly string[]): Selection {
  const matches = words.map((word) => {
    const meant = files.filter((file) => isOnlyNamed(file) && isNamedInFull(file, word));
    return { word, files: meant.length > 0 ? meant : files.filter((file) => isNamed(file, word)) };
  });
  const selected = new Set(matches.flatMap((match) => match.files));
  return {
    files: files.filter((file) => selected.has(file)),
    unmatched: matches.filter((match) => match.files.length === 0).map(({ word }) => word),
  };
}

const isNamedInFull = (file: string, word: string): boolean =>
  ['.', '-'].some((end) => basename(file).startsWith(`${word.toLowerCase()}${end}`));

/** A resource is named in the plural in routes and in the singular in files: `webhooks` finds `webhook-endpoint`. */
function isNamed(file: string, word: string): boolean {
  const path = word.replace(/^\.\//, '').replace(/\/+$/, '');
  if (isOnlyNamed(file)) return file === path || basename(file).startsWith(path.toLowerCase());
  if (path.includes('/') || folders.includes(path)) return file === path || file.startsWith(`${path}/`);
  const name = path.toLowerCase();
  return name !== '' && [name, singular(name)].some((each) => file.toLowerCase().includes(each));
}

const singular = (noun: string): string =>
  noun.endsWith('ies') ? `${noun.slice(0, -3)}y` : noun.replace(/s$/, '');
