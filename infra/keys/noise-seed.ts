import { randomBytes } from 'node:crypto';

/** The seed of a profile's noise: 16 random bytes, base64url. */
export const newNoiseSeed = (): string => randomBytes(16).toString('base64url');
