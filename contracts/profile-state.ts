import { Count, Type, closed, type Static } from './schema.ts';

/** The parts of a saved state that a trim may keep or drop. */
export const stateParts = [
  'cookies',
  'local_storage',
  'session_storage',
  'indexeddb',
  'service_workers',
  'cache',
] as const;
export type StatePart = (typeof stateParts)[number];

/** Maximum sealed bytes of one saved state. */
export const largestState = 256 * 1024 * 1024;

/** The contents of a saved state. */
export const StateCensus = closed({
  cookies: Count,
  /** Number of origins with stored data other than cookies. */
  origins: Count,
  /** Bytes of files before packing, by part. */
  parts: closed({
    cookies: Count,
    local_storage: Count,
    session_storage: Count,
    indexeddb: Count,
    service_workers: Count,
    cache: Count,
  }),
});
export type StateCensus = Static<typeof StateCensus>;

/** A saved state: the location of its sealed bytes, and the key that opens them. */
export const SavedState = closed({
  /** 1 for the first state of a profile, then increasing by one. */
  generation: Type.Integer({ minimum: 1 }),
  /** Key in the object store. */
  blob: Type.String(),
  /** Size of the sealed bytes. */
  bytes: Count,
  /** SHA-256 of the sealed bytes, hex. */
  sha256: Type.String(),
  /** The key of this one blob, sealed with the profile's data key. */
  sealedKey: Type.String(),
  census: StateCensus,
});
export type SavedState = Static<typeof SavedState>;
