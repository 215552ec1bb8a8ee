import type { OwnFile } from './layout.ts';

/** What an archive may make us read, hold and write. Beyond any of them it is invalid, and nothing more of it is read. */
export interface UnpackLimits {
  readonly files: number;
  /** Of the archive once it is decompressed. */
  readonly unpackedBytes: number;
  /** Of the files that are held in memory as a whole. */
  readonly ownBytes: Readonly<Record<OwnFile, number>>;
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
};
