import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares secrets in a time that says nothing of where they differ. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected));

/** The token of an `Authorization: Bearer` header; undefined when it is another kind. */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer ([\x21-\x7e]+)$/i.exec(header ?? '')?.[1];
