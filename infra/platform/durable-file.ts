import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Each writer has its own: of two with one draft, the first would put in place what the second has not written yet. */
const draftOf = (path: string): string => `${path}.${randomUUID()}.new`;

/**
 * Replaces a file that only its owner can read. Content and name are on disk when this resolves. If it cannot be written, as on a
 * full disk, it stays as it was, and no draft is left.
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = draftOf(path);
  try {
    await flushed(draft, 'wx', (file) => file.writeFile(text));
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await flushed(dirname(path), 'r');
}

/** The same, but not flushed to the disk: for a file that is not needed after a power cut. */
export function replaceFile(path: string, text: string): void {
  const draft = draftOf(path);
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

async function flushed(
  path: string,
  flags: 'wx' | 'r',
  write: (file: FileHandle) => Promise<void> = async () => undefined,
): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await write(file);
    await file.sync();
  } finally {
    await file.close();
  }
}
