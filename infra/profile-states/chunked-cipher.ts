import { createCipheriv, createDecipheriv } from 'node:crypto';

/**
 * A stream sealed in chunks of constant size (the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015, with
 * AES-256-GCM): each is 64 KiB of content, the last one less, and its tag. A chunk's nonce is its index and whether it is the
 * last one, and the tag covers the context too. So a stream that was truncated, extended, reordered or mixed with another does
 * not open, nor does one under another context. A key must seal only one stream.
 */
const algorithm = 'aes-256-gcm';
const contentBytes = 64 * 1024;
const tagBytes = 16;
const nonceBytes = 12;

export const streamKeyBytes = 32;

/** A chunk is missing, misplaced or changed; or the key or the context differs. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

export async function* sealChunks(
  content: AsyncIterable<Uint8Array>,
  key: Buffer,
  context: string,
): AsyncGenerator<Buffer> {
  for await (const { bytes, nonce } of chunked(content, contentBytes)) {
    const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(context));
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Yields a chunk only after its tag was verified. Throws `SealBroken`, or the error of `sealed`. */
export async function* openChunks(
  sealed: AsyncIterable<Uint8Array>,
  key: Buffer,
  context: string,
): AsyncGenerator<Buffer> {
  for await (const { bytes, nonce } of chunked(sealed, contentBytes + tagBytes)) {
    if (bytes.length < tagBytes) throw new SealBroken('The sealed stream is cut.');
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const content = decipher.update(bytes.subarray(0, -tagBytes));
    try {
      decipher.final();
    } catch (error) {
      throw new SealBroken('The sealed stream is not the one that was expected, or was changed.', {
        cause: error,
      });
    }
    if (content.length > 0) yield content;
  }
}

interface Chunk {
  readonly bytes: Buffer;
  readonly nonce: Buffer;
}

/** Chunks of exactly `size` bytes; the last one is shorter, or empty. */
async function* chunked(content: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Chunk> {
  let index = 0;
  let chunk = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const piece of content) {
    for (let taken = 0; taken < piece.length;) {
      // A full chunk waits for one more byte, which proves that it is not the last.
      if (filled === size) {
        yield { bytes: chunk, nonce: nonceOf(index, false) };
        index += 1;
        chunk = Buffer.allocUnsafe(size);
        filled = 0;
      }
      const part = piece.subarray(taken, taken + size - filled);
      chunk.set(part, filled);
      filled += part.length;
      taken += part.length;
    }
  }
  yield { bytes: chunk.subarray(0, filled), nonce: nonceOf(index, true) };
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUInt32BE(index, 0);
  nonce.writeUInt8(isLast ? 1 : 0, nonceBytes - 1);
  return nonce;
}
