import { mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StateCensus } from '../../contracts/profile-state.ts';
import { CensusTaker } from './census.ts';
import { checkedFiles, type CheckedFile } from './content.ts';
import { filesIn } from './entries.ts';
import { dataFolder } from './layout.ts';
import { unpackLimits, type UnpackLimits } from './limits.ts';
import { filesOf } from './pack.ts';

/** The archive's files, one by one, each read before the next is requested. Throws what `unpackState` rejects with. */
export const readState = (
  archive: AsyncIterable<Uint8Array>,
  limits: UnpackLimits = unpackLimits,
): AsyncIterable<CheckedFile> => checkedFiles(filesIn(archive, limits), limits);

/**
 * Writes the archive's files into the directory, which must exist and be empty. Rejects with `StateArchiveInvalid`, with the
 * archive's own error, or with the file system's; the caller must then remove what was written.
 */
export async function unpackState(
  archive: AsyncIterable<Uint8Array>,
  directory: string,
  limits: UnpackLimits = unpackLimits,
): Promise<void> {
  const data = join(directory, dataFolder);
  await mkdir(data, { mode: 0o700 });
  const folders = new Set([directory, data]);
  for await (const { path, content, writtenAt } of readState(archive, limits)) {
    const file = join(directory, path);
    const folder = dirname(file);
    if (!folders.has(folder)) await mkdir(folder, { recursive: true, mode: 0o700 });
    folders.add(folder);
    const handle = await open(file, 'wx', 0o600);
    try {
      await writeFile(handle, content);
      await handle.utimes(writtenAt, writtenAt);
    } finally {
      await handle.close();
    }
  }
}

/** The census of an archive. Rejects like `unpackState`, and writes nothing. */
export async function inspectState(
  archive: AsyncIterable<Uint8Array>,
  limits: UnpackLimits = unpackLimits,
): Promise<StateCensus> {
  const taker = new CensusTaker();
  for await (const file of readState(archive, limits)) taker.add(file);
  return taker.census;
}

/**
 * The census of a directory for `packState`. Rejects with `StateArchiveInvalid` if its archive could not be unpacked, with
 * `StateArchiveTooLarge` if that is for its size.
 */
export async function surveyState(
  directory: string,
  limits: UnpackLimits = unpackLimits,
): Promise<StateCensus> {
  const taker = new CensusTaker();
  for await (const file of checkedFiles(filesOf(directory), limits)) taker.add(file);
  return taker.census;
}
