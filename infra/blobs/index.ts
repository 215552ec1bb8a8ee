import { fileURLToPath } from 'node:url';
import { resolve } from 'node:path';
import { openDirectory } from './directory.ts';
import { openS3 } from './s3.ts';
import type { BlobStore } from './types.ts';

export { BlobMissing, BlobStoreFailed, type BlobStore } from './types.ts';

/**
 * Opens `file:///directory`, or `s3://bucket/prefix?endpoint=…&region=…`, with the bucket in the path and credentials from the
 * AWS SDK's environment.
 */
export async function openBlobStore(url: string): Promise<BlobStore> {
  const { protocol } = new URL(url);
  if (protocol === 'file:') return openDirectory({ root: resolve(fileURLToPath(url)) });
  if (protocol !== 's3:') throw new Error(`Blobs are kept at a file: or an s3: URL, not at ${protocol}`);
  return openS3({ url });
}
