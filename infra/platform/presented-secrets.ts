import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares secrets in constant time. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected));

/** The token of an `Authorization: Bearer` header; undefined for another kind. */
export const bearerToken = (header: string | undefined): string | undefined =>
  /^Bearer +([\x21-\x7e]+) *$/i.exec(header ?? '')?.[1];
