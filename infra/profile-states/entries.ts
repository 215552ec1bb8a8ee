import { pipeline } from 'node:stream';
import { createBrotliDecompress } from 'node:zlib';
import { extract, type Extract } from 'tar-stream';
import { StateArchiveInvalid, StateArchiveTooLarge } from './invalid.ts';
import { unpackLimits, type UnpackLimits } from './limits.ts';
import type { StateFile } from './pack.ts';
import { ArchivePaths } from './paths.ts';

/** Maximum headers and padding between two files; ours take less than 4 KiB. */
const mostBetweenFiles = 1024 * 1024;

/**
 * The files of an archive, one by one. A file's content must be read to its end before the next is requested, or not at all.
 * Untrusted input: it may be no archive, its paths may lead anywhere, and its sizes may be wrong.
 *
 * Throws `StateArchiveInvalid`, or the archive's own error if reading it fails.
 */
export async function* filesIn(
  archive: AsyncIterable<Uint8Array>,
  limits: UnpackLimits = unpackLimits,
): AsyncGenerator<StateFile> {
  const paths = new ArchivePaths();
  const reading = new Reading(archive, limits);
  let files = 0;
  try {
    for await (const entry of reading.tar) {
      files += 1;
      if (files > limits.files)
        throw new StateArchiveTooLarge(`The archive has more than ${limits.files} files.`);
      const file = reading.begin(entry);
      paths.add(file.path);
      yield file;
      entry.resume();
    }
  } catch (error) {
    throw reading.explain(error);
  } finally {
    reading.tar.destroy();
  }
}

/** An archive piped through the decompressor into the tar parser. */
class Reading {
  readonly tar: Extract = extract();
  readonly #limits: UnpackLimits;
  /** Where the last started file ends in the tar. */
  #fileEndsAt = 0;
  #sourceFailure: { readonly error: unknown } | undefined;
  #receivedBytes = 0;

  constructor(archive: AsyncIterable<Uint8Array>, limits: UnpackLimits) {
    this.#limits = limits;
    const decompressed = createBrotliDecompress({ chunkSize: 256 * 1024 });
    const wholly = (chunks: AsyncIterable<Uint8Array>) =>
      this.#withinLimits(chunks, () => decompressed.bytesWritten);
    // The tar parser gets the error of any of them.
    pipeline(this.#received(archive), decompressed, wholly, this.tar, () => undefined);
  }

  begin(entry: Entry): StateFile {
    const { name, size, mtime, type, byteOffset } = entry.header as Header;
    if (type !== 'file') throw new StateArchiveInvalid('The archive has something in it that is no file.');
    if (size > this.#limits.unpackedBytes) throw this.#tooLarge();
    this.#fileEndsAt = byteOffset + size;
    return { path: name, bytes: size, writtenAt: mtime, content: this.#contentOf(entry) };
  }

  /** The error for the caller. */
  explain(error: unknown): unknown {
    if (this.#sourceFailure) return this.#sourceFailure.error;
    if (error instanceof StateArchiveInvalid) return error;
    return new StateArchiveInvalid('The archive is damaged, or is none.', { cause: error });
  }

  async *#contentOf(entry: Entry): AsyncGenerator<Uint8Array> {
    try {
      // The package does not type its items.
      yield* entry as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw this.explain(error);
    }
  }

  async *#received(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of archive) {
        this.#receivedBytes += chunk.byteLength;
        yield chunk;
      }
    } catch (error) {
      this.#sourceFailure = { error };
      throw error;
    }
  }

  async *#withinLimits(
    chunks: AsyncIterable<Uint8Array>,
    decompressedBytes: () => number,
  ): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.byteLength;
      if (bytes > this.#limits.unpackedBytes) throw this.#tooLarge();
      if (bytes - this.#fileEndsAt > mostBetweenFiles + chunk.byteLength)
        throw new StateArchiveInvalid('The archive has too much between its files.');
      yield chunk;
    }
    if (decompressedBytes() !== this.#receivedBytes)
      throw new StateArchiveInvalid('The archive goes on after its end.');
  }

  #tooLarge(): StateArchiveTooLarge {
    return new StateArchiveTooLarge(`The archive unpacks to more than ${this.#limits.unpackedBytes} bytes.`);
  }
}

/** Item type of the parser's iteration; the package does not export it. */
type Entry = Extract extends AsyncIterable<infer Given> ? Given : never;
/** `byteOffset`: start of the file's content in the tar. Missing in the package's types. */
type Header = Entry['header'] & { readonly byteOffset: number };
