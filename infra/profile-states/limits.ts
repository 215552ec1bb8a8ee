import type { OwnFile } from './layout.ts';

/** Limits of an archive. Above any of them it is invalid, and is not read further. */
export interface UnpackLimits {
  readonly files: number;
  /** Size of the decompressed archive. */
  readonly unpackedBytes: number;
  /** Sizes of files held in memory. */
  readonly ownBytes: Readonly<Record<OwnFile, number>>;
  /**
   * Bytes of session storage outside of strings, which take far longer to parse than text: 11 for a site, 6 for an item. A browser keeps
   * 100,000 items.
   */
  readonly besideStrings: number;
}

const mebibyte = 1024 * 1024;

export const unpackLimits: UnpackLimits = {
  files: 20_000,
  unpackedBytes: 1024 * mebibyte,
  ownBytes: {
    'manifest.json': 64 * 1024,
    'cookies.json': 8 * mebibyte,
    'session-storage.json': 32 * mebibyte,
  },
  besideStrings: 2 * mebibyte,
};
