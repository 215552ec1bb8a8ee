import type { Readable } from 'node:stream';

export interface StoredBlob {
  readonly key: string;
  readonly bytes: number;
  readonly storedAt: Date;
}

/**
 * Bytes that are too large for the log, by key. A blob is there as a whole or not at all, is written once and never changed;
 * nothing here decides which of two blobs counts.
 *
 * Every method rejects with `BlobStoreFailed` where the store does not do its work.
 */
export interface BlobStore {
  /** Rejects with the content's error, or the signal's reason, and keeps nothing of it then. */
  put(key: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
  /** Rejects with `BlobMissing`. The caller reads the content to its end, or destroys it. */
  get(key: string): Promise<Readable>;
  /** Does nothing where there is none. */
  delete(key: string): Promise<void>;
  /** All of them, in no order. Removes what uploads left that ended long ago without an end. */
  list(): AsyncIterable<StoredBlob>;
  close(): Promise<void>;
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
}

/** The store is full, refuses, is not to be reached, or stopped in the middle. */
export class BlobStoreFailed extends Error {
  override readonly name = 'BlobStoreFailed';
}
