import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { BundleFiles } from './index.ts';

/**
 * Writes a gzipped tar that only its owner can read. Rejects if the file exists; leaves none that is incomplete, as when the disk is
 * full.
 */
export async function packBundle(path: string, folder: string, files: BundleFiles): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const archive = pack();
    const written = pipeline(archive, createGzip(), file.createWriteStream({ flush: true }));
    for (const [name, text] of Object.entries(files))
      // An entry fails with the archive, which is awaited.
      archive.entry({ name: `${folder}/${name}`, mode: 0o600 }, text).on('error', () => undefined);
    archive.finalize();
    await written;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
