import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, unlink, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';

/** Bytes too many for memory, in an unlinked file, which disappears with the process. */
export interface Spooled {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Reads from the start, any number of times. */
  read(): Readable;
  close(): Promise<void>;
}

const chunkBytes = 256 * 1024;

/**
 * Writes the content to a new file in the directory, which is created if missing. Rejects if the content does, and then stores
 * nothing.
 */
export async function spool(directory: string, content: AsyncIterable<Uint8Array>): Promise<Spooled> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, randomUUID());
  const file = await open(path, 'wx+', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  const measured = async function* () {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  try {
    await unlink(path);
    await writeFile(file, measured());
  } catch (error) {
    await file.close();
    throw error;
  }
  const read = () => Readable.from(chunksOf(file, bytes), { objectMode: false });
  return { bytes, sha256: hash.digest('hex'), read, close: () => file.close() };
}

async function* chunksOf(file: FileHandle, bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes;) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at);
    if (bytesRead === 0) throw new Error('A spooled file ended early.');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
