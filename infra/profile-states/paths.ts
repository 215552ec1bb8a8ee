import { posix } from 'node:path';
import { StateArchiveInvalid } from './invalid.ts';
import { dataFolder, isOwnFile } from './layout.ts';

const longestPath = 1024;
const longestName = 255;
const deepest = 32;

/** The paths of one archive: each must stay in the target directory, and none may conflict with another. */
export class ArchivePaths {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** @throws {StateArchiveInvalid} */
  add(path: string): void {
    if (!isInside(path)) throw new StateArchiveInvalid('The archive has a path that no state has.');
    const folders = foldersOf(path);
    if (this.#files.has(path) || this.#folders.has(path) || folders.some((each) => this.#files.has(each)))
      throw new StateArchiveInvalid('The archive has two files at one path.');
    this.#files.add(path);
    for (const folder of folders) this.#folders.add(folder);
  }
}

function isInside(path: string): boolean {
  // oxlint-disable-next-line no-control-regex -- a control character is what is looked for
  if (Buffer.byteLength(path) > longestPath || /[\u0000-\u001f\u007f\\\ufffd]/.test(path)) return false;
  const names = path.split('/');
  if (names.length > deepest || !names.every(isName)) return false;
  return names.length === 1 ? isOwnFile(path) : names[0] === dataFolder;
}

const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= longestName;

function foldersOf(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) folders.push(folder);
  return folders;
}
