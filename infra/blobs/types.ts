import type { Readable } from 'node:stream';

export interface StoredBlob {
  readonly key: string;
  readonly bytes: number;
  readonly storedAt: Date;
}

/**
 * Bytes too large for the log, by key. A blob is stored completely or not at all, is written once and never changed; which of two
 * blobs is valid is not decided here.
 *
 * Every method rejects with `BlobStoreFailed` if the store fails.
 */
export interface BlobStore {
  /** Rejects with the content's error, or the signal's reason, and then stores nothing. */
  put(key: string, content: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<void>;
  /** Rejects with `BlobMissing`. The caller reads the content to its end, or destroys it. */
  get(key: string): Promise<Readable>;
  /** Idempotent. */
  delete(key: string): Promise<void>;
  /** All blobs, in no order. Also removes remains of abandoned uploads. */
  list(): AsyncIterable<StoredBlob>;
  close(): Promise<void>;
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';
}

/** The store is full, refuses, is unreachable, or failed in between. */
export class BlobStoreFailed extends Error {
  override readonly name = 'BlobStoreFailed';
}
