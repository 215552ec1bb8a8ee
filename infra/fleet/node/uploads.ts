import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { uploadLimits, type UploadHandle } from '../../../contracts/resources/live.ts';
import { pageFailure, type Uploaded, type UploadedFile } from './driver.ts';
import { baseName } from './file-name.ts';

interface Described {
  readonly name: string;
  readonly mime: string;
  /** Size of the content in bytes. */
  readonly size: number;
}

const mebibytes = (bytes: number) => `${bytes / (1024 * 1024)} MiB`;

/**
 * Files that one session was given, by handle. They are in a directory that no browser can see, until the session ends, because a page may
 * be given them repeatedly.
 */
export class Uploads implements Uploaded {
  readonly #directory: string;
  readonly #files = new Map<string, UploadedFile>();
  /** Bytes of all files, including pending uploads. */
  #total = 0;
  #ended = false;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Stores the content. If it is aborted, or has not the announced length, nothing is stored. */
  async put({ name, mime, size }: Described, content: AsyncIterable<Uint8Array>): Promise<UploadHandle> {
    const { file: most, session: mostOfAll } = uploadLimits;
    if (size > most) throw pageFailure('invalid_request', `A file may have at most ${mebibytes(most)}.`);
    if (this.#total + size > mostOfAll)
      throw pageFailure(
        'invalid_request',
        `All files of a session may have at most ${mebibytes(mostOfAll)}.`,
      );
    this.#total += size;
    const handle = { id: `file_${randomUUID()}`, name: baseName(name), mime, size };
    const path = join(this.#directory, handle.id);
    try {
      await mkdir(this.#directory, { recursive: true, mode: 0o700 });
      await pipeline(content, exactly(size), createWriteStream(path, { mode: 0o600 }));
      if (this.#ended) throw pageFailure('session_error', 'The session has ended.');
    } catch (error) {
      this.#total -= size;
      await rm(path, { force: true });
      throw error;
    }
    const read = (highWaterMark: number) => createReadStream(path, { highWaterMark });
    this.#files.set(handle.id, { ...handle, read });
    return handle;
  }

  find(handle: string): UploadedFile | undefined {
    return this.#files.get(handle);
  }

  async remove(): Promise<void> {
    this.#ended = true;
    this.#files.clear();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** Passes on a content of that length and throws for any other. */
const exactly = (size: number) =>
  async function* (content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let read = 0;
    for await (const piece of content) {
      read += piece.length;
      if (read > size) break;
      yield piece;
    }
    if (read !== size)
      throw pageFailure('invalid_request', 'The length of the content differs from its declared size.');
  };
