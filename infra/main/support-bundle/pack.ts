import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pack } from 'tar-stream';
import type { BundleFiles } from './index.ts';

/** Writes a gzipped tar that only its owner can read. Rejects if the file exists. */
export async function packBundle(path: string, folder: string, files: BundleFiles): Promise<void> {
  const archive = pack();
  const written = pipeline(
    archive,
    createGzip(),
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  );
  for (const [name, text] of Object.entries(files))
    archive.entry({ name: `${folder}/${name}`, mode: 0o600 }, text);
  archive.finalize();
  await written;
}
