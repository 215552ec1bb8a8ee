import type { Readable } from 'node:stream';

export interface StoredBlob {
  readonly key: string;
  readonly bytes: number;
  readonly storedAt: Date;
}

/**
 * Bytes that are too large for the log, by key. A blob is there as a whole or not at all, is written once and never changed;
 * nothing here decides which of two blobs counts.
 */
export interface BlobStore {
  /** Rejects when the content does, or the signal is aborted, and keeps nothing of it then. */
  put(key: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
  /** Rejects with `BlobMissing`. The caller reads the content to its end, or destroys it. */
  get(key: string): Promise<Readable>;
  /** Does nothing where there is none. */
  delete(key: string): Promise<void>;
  /** All of them, in no order. */
  list(): AsyncIterable<StoredBlob>;
  close(): Promise<void>;
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
}
